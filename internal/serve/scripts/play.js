"use strict";
// The page of a match: the server deals the dice, plays the net's side and keeps the match;
// here plays are made and shown.
(() => {
  const { ask, element, mover, arrows, draw, decode, encode, swapped, notation, format } = bgtrain;
  const $ = (id) => document.getElementById(id);
  let view = null;     // how the match stands, as the server says
  let shown = null;    // the position that is drawn while the net's acts are shown
  let netDice = [];    // of the net's last roll
  let busy = false;
  let hinted = null;   // the play that is pointed at
  const board = $("board");
  const move = mover(board, show, buttons);
  const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;

  // ----- drawing

  function show() {
    if (!view) return;
    const own = move.active || netDice.length === 0;
    const more = move.active ? move.drawing() : { dice: netDice, used: [false, false, false, false], from: [], to: [], chosen: null };
    const position = move.active ? move.position : shown ?? decode(view.position);
    const held = document.activeElement?.dataset?.at;
    draw(board, position, { ...more, own, last: [], cube: view.crawford ? undefined : { value: view.cube, owner: view.owner },
      over: hinted && !move.made.length && hinted !== "cannot move" ? arrows(position, hinted, "#0072b2") : "" });
    if (held !== undefined) board.querySelector(`[data-at="${held}"][tabindex]`)?.focus();
    const of = view.length ? ` of ${view.length}` : "";
    const plate = (id, i, side) => {
      const off = 15 - bgtrain.onBoard(side);
      $(id).querySelector(".name").textContent = view.players[i];
      $(id).querySelector(".stand").textContent = [`${view.score[i]}${of}`, `${bgtrain.pips(side)} pips`, off ? `${off} off` : ""]
        .filter(Boolean).join(" · ");
    };
    plate("light", 0, position.me);
    plate("dark", 1, position.opp);
    const mine = ["roll", "play"].includes(view.due) && !shown;
    $("light").classList.toggle("roll", mine);
    $("dark").classList.toggle("roll", Boolean(shown) || view.due === "answer");
  }

  const button = (text, act, main = false) => element("button", { type: "button", class: main ? "main" : undefined,
    disabled: busy, onclick: act }, text);

  // The actions that are possible now; the first goes on by Enter.
  function buttons() {
    if (!view) return;
    const list = [], due = view.due;
    if (due === "roll") list.push(button("Roll", () => act("roll"), true), button(`Double to ${2 * view.cube}`, () => act("double")));
    if (due === "play") {
      const none = move.active && move.made.length === 0 && move.complete();
      const done = button(none ? "No legal move: go on" : "Done", () => act("play", { play: words() }), true);
      done.disabled = busy || !move.complete();
      list.push(done);
      if (move.past.length > 0) list.push(button("Undo", () => move.undo()));
    }
    if (due === "answer") list.push(button("Take", () => act("take"), true), button("Pass", () => act("pass")));
    if (due === "next") list.push(button("Next game", () => act("next"), true));
    if (["roll", "play", "answer"].includes(due)) list.push(button("Advice", hint));
    if (view.undo && move.past.length === 0) list.push(button("Take back", () => act("undo")));
    $("actions").replaceChildren(...list);
  }

  // The play that was made, as the server reads it.
  const words = () => (move.made.length ? notation(move.before, move.made) : "");

  const sentence = { roll: "Roll, or double.", play: "", answer: "", next: "The game is over.", over: "The match is over.", net: "" };

  function told() {
    const last = view.acts?.at(-1), net = view.players[1];
    let text = "";
    if (last?.did === "double") text = `${net} doubles to ${2 * view.cube}. Take or pass?`;
    else if (last?.did === "take") text = `${net} takes. `;
    else if (last?.did === "pass") text = `${net} passes. `;
    else if (last) text = `${net} rolled ${last.dice.join("-")}: ${last.play}. `;
    if (view.result) text += `${view.result}.`;
    else if (view.due === "play") text += `You rolled ${view.dice.join("-")}.`;
    else if (view.due === "roll") text += sentence.roll;
    $("status").textContent = text;
  }

  function stands() {
    const of = view.length === 0 ? ", for money" : view.length === 1 ? ", to 1 point" : `, to ${view.length} points`;
    $("stands").textContent = `Game ${view.game}${of}${view.crawford ? ", the Crawford game: no doubling" : ""} · against ` +
      `${view.net}, ${view.ply}-ply`;
    $("log").replaceChildren(...view.log.map((l) => element("li", { class: `who${l.who}` },
      element("b", {}, view.players[l.who]), ` ${l.text}`)));
    $("log").scrollTop = $("log").scrollHeight;
    $("tutor").checked = view.tutor;
    const path = `/api/matches/${view.id}`;
    $("analysis").href = `${path}/analysis`;
    $("file").href = `${path}/match.mat`;
    $("analysis").hidden = $("file").hidden = view.log.length === 0 && view.game === 1;
    $("analysis").classList.toggle("main", view.due === "over");
    $("again").hidden = view.due !== "over";
  }

  // Shows a view: the net's acts one after the other, then what is due.
  async function take(next, animate = true) {
    const before = view;
    view = next;
    $("begin").hidden = true;
    $("course").hidden = false;
    $("warning").hidden = true;
    hinted = null;
    $("advice").hidden = true;
    netDice = [];
    busy = true;
    move.stop();
    if (animate && before && !quiet) {
      for (const a of view.acts ?? []) {
        if (!a.dice?.[0]) continue;
        netDice = a.dice;
        shown = shown ?? decode(before.position);
        show();
        buttons();
        await pause(450);
        shown = decode(a.position);
        show();
        await pause(350);
      }
    }
    shown = null;
    netDice = (view.acts ?? []).findLast?.((a) => a.dice?.[0])?.dice ?? [];
    busy = false;
    if (view.due === "play") move.begin(decode(view.position), view.dice);
    show();
    buttons();
    told();
    stands();
    document.body.dataset.due = view.due; // for who waits
  }

  // ----- actions

  async function act(what, query = {}) {
    if (busy || !view) return;
    busy = true;
    document.body.dataset.due = "";
    buttons();
    $("trouble").textContent = "";
    // What was played is shown while the net thinks.
    const played = what === "play" && move.made.length ? move.position : null;
    try {
      const next = await ask(`/api/matches/${view.id}/${what}`, query, "POST");
      busy = false;
      if (next.warning) { warn(next.warning, what, query); return; }
      shown = played;
      await take(next, what !== "undo");
    } catch (e) {
      busy = false;
      $("trouble").textContent = e.message;
      document.body.dataset.due = view.due;
      buttons();
    }
  }

  // The tutor asks whether to do what loses much.
  function warn(w, what, query) {
    buttons();
    $("warning").hidden = false;
    const no = button("Think again", () => { $("warning").hidden = true; if (what === "play") while (move.past.length) move.undo(); });
    $("warning").replaceChildren(element("p", {}, element("b", {}, "Tutor: "), `${w.did} loses ${w.loss.toFixed(3)}.`),
      element("div", { class: "tool" }, no, button("Do it anyway", () => act(what, { ...query, sure: "yes" })),
        button("Show what is better", hint)));
    no.focus();
    document.body.dataset.due = "warned";
  }

  async function hint() {
    if (busy || !view) return;
    try {
      const h = await ask(`/api/matches/${view.id}/hint`);
      $("advice").hidden = false;
      $("advised").replaceChildren(h.plays ? plays(h.plays) : cube(h.cube));
    } catch (e) {
      $("trouble").textContent = e.message;
    }
  }

  function plays(list) {
    const rows = list.flatMap((p, i) => {
      const row = element("tr", { class: i === 0 ? "best" : undefined }, element("th", { scope: "row" },
        element("button", { type: "button", class: "play", onclick: () => act("play", { play: p.play === "cannot move" ? "" : p.play }) },
          p.play)), element("td", {}, format.equity(p.equity)), element("td", { class: "lost" }, i ? format.plain(-p.loss) : ""));
      row.addEventListener("pointerenter", () => { hinted = p.play; show(); });
      row.addEventListener("pointerleave", () => { hinted = null; show(); });
      const o = p.outputs.map(format.percent);
      return [row, element("tr", { class: "more" }, element("td", { colspan: 3 },
        `${o[0]} ${o[1]} ${o[2]} – ${format.plain(100 - 100 * p.outputs[0], 1)} ${o[3]} ${o[4]}${p.ply < view.ply ? ` · ${p.ply}‑ply` : ""}`))];
    });
    return element("div", {}, element("table", { class: "small plays" }, element("thead", {}, element("tr", {},
      ...["play", "equity with cube", "loses"].map((t) => element("th", { scope: "col" }, t)))),
    element("tbody", {}, ...rows)), ...bgtrain.whyLess(list, view.ply));
  }

  function cube(c) {
    const rows = c.choices.map((x) => element("tr", { class: x.did === c.right ? "best" : undefined },
      element("th", { scope: "row" }, x.did), element("td", {}, format.equity(x.equity))));
    return element("div", {}, element("p", { class: "advice" }, element("b", {}, c.right)),
      element("table", { class: "small cube" }, element("tbody", {}, ...rows)), bgtrain.chances(c.outputs));
  }

  // ----- beginning and going on

  $("begin").addEventListener("submit", async (e) => {
    e.preventDefault();
    $("trouble").textContent = "";
    try {
      const next = await ask("/api/matches", { net: $("net").value, ply: $("ply").value, length: $("length").value,
        name: $("name").value, tutor: $("tutored").checked ? "on" : "off" }, "POST");
      history.replaceState(null, "", `/play?match=${next.id}`);
      await take(next);
    } catch (error) {
      $("trouble").textContent = error.message;
    }
  });
  $("again").addEventListener("click", () => {
    view = null;
    history.replaceState(null, "", "/play");
    $("begin").hidden = false;
    $("course").hidden = true;
    waiting();
  });
  $("tutor").addEventListener("change", async () => {
    try {
      view = await ask(`/api/matches/${view.id}/tutor`, { tutor: $("tutor").checked ? "on" : "off" }, "POST");
    } catch (e) {
      $("trouble").textContent = e.message;
    }
  });
  for (const b of document.querySelectorAll("[data-resign]")) {
    b.addEventListener("click", () => act("resign", { points: b.dataset.resign }));
  }
  addEventListener("keydown", (e) => {
    if (e.target.matches("input, select, button, a, [tabindex], summary") && e.key === "Enter") return;
    if (e.target.matches("input, select") || e.ctrlKey || e.metaKey || e.altKey || !view) return;
    const first = $("actions").querySelector(".main");
    if (e.key === "Enter" && first && !first.disabled) first.click();
    else if (e.key === "h") hint();
    else if (e.key === "u" && move.past.length > 0) move.undo();
  });

  // Before a match: the board as it will begin.
  function waiting() {
    move.stop();
    draw(board, bgtrain.start(), { dice: [], used: [], own: true, last: [], from: [], to: [], chosen: null,
      cube: { value: 1, owner: "none" } });
    for (const [id, name] of [["light", $("name").value || "You"], ["dark", $("net").value]]) {
      $(id).querySelector(".name").textContent = name;
      $(id).querySelector(".stand").textContent = "";
      $(id).classList.remove("roll");
    }
    $("actions").replaceChildren();
    $("status").textContent = "The larger die of the first roll begins.";
  }
  for (const id of ["name", "net"]) $(id).addEventListener("input", waiting);
  waiting();

  const id = new URLSearchParams(location.search).get("match");
  if (id) {
    ask(`/api/matches/${encodeURIComponent(id)}`).then((v) => take(v, false)).catch((e) => { $("trouble").textContent = e.message; });
  }
  bgtrain.matchView = () => view; // for tests
  bgtrain.encodePlayed = () => encode(swapped(move.position));
})();

"use strict";
// The page of the board: a position set up or played on, judged by one net or by two beside
// each other, and rolled out.
(() => {
  const { ask, element, newState, stateOf, xgid, turned, played, standing, mover, arrows, draw, encode, swapped } = bgtrain;
  const $ = (id) => document.getElementById(id);
  const query = new URLSearchParams(location.search);
  let state = newState();
  let edit = "";        // what a click on a point does: "", me, opp, less
  let pointed = null;   // the play that is pointed at
  let best = "";        // the best play of the first net
  let chosen = new Set(); // plays to roll out
  let stop = null;      // ends the rollout
  const board = $("board");
  const move = mover(board, show, playChanged);
  const nets = () => [$("net").value, $("beside").value].filter(Boolean);

  // ----- drawing

  function show() {
    const more = move.active ? move.drawing() : { dice: [], used: [false, false], from: [], to: [], chosen: null };
    const arrow = pointed?.play ?? (move.made.length ? "" : best);
    const position = move.active ? move.position : state.position;
    const held = document.activeElement?.dataset?.at;
    const points = edit ? Array.from({ length: 25 }, (_, i) => i) : more.from;
    draw(board, position, { ...more, from: points, own: true, last: [], cube: { value: state.cube, owner: state.owner },
      over: !edit && arrow && arrow !== "cannot move" && !move.made.length ?
        arrows(state.position, arrow, pointed && pointed.play !== best ? "#c8500a" : "#0072b2") : "" });
    if (held !== undefined) board.querySelector(`[data-at="${held}"][tabindex]`)?.focus();
    const off = (s) => 15 - bgtrain.onBoard(s);
    const plate = (id, side, name, i, roll) => {
      $(id).querySelector(".name").textContent = name;
      $(id).querySelector(".stand").textContent = [`${bgtrain.pips(side)} pips`, off(side) ? `${off(side)} off` : "",
        standing(state, i)].filter(Boolean).join(" · ");
      $(id).classList.toggle("roll", roll);
    };
    plate("dark", position.opp, "Dark", 1, false);
    plate("light", position.me, "Light", 0, true);
    for (const b of document.querySelectorAll("[data-die]")) {
      const [k, n] = b.dataset.die.split(":").map(Number);
      b.setAttribute("aria-pressed", String(state.dice[k] === n));
    }
    for (const b of document.querySelectorAll("[data-owner]")) {
      b.setAttribute("aria-pressed", String(b.dataset.owner === state.owner));
    }
    for (const b of document.querySelectorAll("[data-edit]")) {
      b.setAttribute("aria-pressed", String(b.dataset.edit === edit));
    }
    $("value").textContent = String(state.cube);
    for (const [i, id] of ["needs", "theirs"].entries()) if (document.activeElement !== $(id)) $(id).value = state.away[i];
    $("crawford").checked = state.crawford;
    $("crawford").disabled = !state.away.includes(1) || state.away[0] === 0;
    $("undo").disabled = move.past.length === 0;
    $("xgid").textContent = xgid(state);
    $("position").textContent = encode(state.position);
  }

  // ----- the state, in the address too

  function address() {
    const text = new URLSearchParams({ id: xgid(state) });
    if ($("ply").value !== "0") text.set("ply", $("ply").value);
    if ($("net").selectedIndex > 0) text.set("net", $("net").value);
    if ($("beside").value) text.set("beside", $("beside").value);
    return `/?${text}`;
  }

  // Takes on a changed state: judges it, and puts it into the address.
  function set(next, past = true) {
    state = next;
    if (state.away.includes(0)) state.away = [0, 0];
    if (state.away[0] === 0 || !state.away.includes(1)) state.crawford = false;
    if (state.crawford) Object.assign(state, { cube: 1, owner: "none" });
    if (state.owner === "none") state.cube = 1;
    if (state.away[0] > 0) state.jacoby = false;
    pointed = null;
    best = "";
    if (state.dice[0] && state.dice[1] && !edit) move.begin(state.position, state.dice);
    else move.stop();
    if (past) history.pushState(null, "", address());
    else history.replaceState(null, "", address());
    if (document.activeElement !== $("id")) $("id").value = xgid(state);
    show();
    judge();
  }

  // Reads an ID that was typed, or is in the address.
  async function read(id, dice, past) {
    try {
      const p = await ask("/api/position", { id, dice });
      set(stateOf(p), past);
    } catch (e) {
      $("id").value = id;
      show();
      problem(e.message);
    }
  }

  // ----- judging

  let latest = 0;
  const problem = (text) => $("values").replaceChildren(element("p", { class: "warning", role: "alert" }, text));

  async function judge() {
    const turn = ++latest;
    if (stop) stop();
    $("rolled").replaceChildren();
    chosen = new Set();
    $("kind").textContent = "";
    document.body.dataset.judged = "";
    if (Number(Boolean(state.dice[0])) + Number(Boolean(state.dice[1])) === 1) {
      problem("One die is set: the other is missing.");
      return;
    }
    const id = xgid(state), ply = Number($("ply").value);
    $("values").classList.add("waits");
    try {
      const p = await ask("/api/position", { id });
      if (turn !== latest) return;
      $("kind").textContent = `${p.class} · ${p.plan}`;
      if (p.class === "over") {
        problem("The game is over here: a side has no checker left. There is nothing to evaluate.");
        return;
      }
      const all = await Promise.all(nets().map((net) => ask("/api/eval", { id, ply, net, cube: "gnubg",
        plays: nets().length > 1 ? 8 : 10 })));
      if (turn !== latest) return;
      showValues(all, ply);
      document.body.dataset.judged = id; // for who waits
    } catch (e) {
      if (turn === latest) problem(e.message);
    } finally {
      if (turn === latest) $("values").classList.remove("waits");
    }
  }

  function showValues(all, ply) {
    const ranked = all[0].plays ? bgtrain.ordered(all[0].plays) : [];
    best = ranked[0]?.play ?? "";
    chosen = new Set(ranked.slice(0, 3).map((p) => p.play));
    $("values").classList.toggle("two", all.length > 1);
    $("values").replaceChildren(...all.map((e, i) => {
      const parts = [element("h2", {}, e.net, element("small", {}, ` ${e.ply}-ply`))];
      parts.push(element("p", { class: "equity" }, element("b", {}, bgtrain.format.equity(e.equity)),
        element("span", { class: "se" }, " cubeless equity for money, before the roll")), bgtrain.chances(e.outputs));
      if (e.cube) parts.push(bgtrain.cubeTable(e.cube));
      if (e.plays) {
        parts.push(bgtrain.playsTable(e.plays, ply, { chosen: i === 0 ? chosen : null,
          over: (p) => { pointed = p; show(); }, made: (p) => set(played(state, p.position)),
          tick: (play, on) => { if (on) chosen.add(play); else chosen.delete(play); } }));
      }
      return element("article", { class: "net" }, ...parts);
    }));
    if (all.length > 1) $("values").append(element("p", { class: "about agree" }, agreement(all)));
    show();
  }

  // What two nets agree on.
  function agreement([a, b]) {
    if (a.plays) {
      const [p, q] = [a, b].map((e) => bgtrain.ordered(e.plays)[0].play);
      return p === q ? `Both play ${p}.` : `They differ: ${a.net} plays ${p}, ${b.net} plays ${q}.`;
    }
    const [p, q] = [a.cube.action, b.cube.action].map(bgtrain.words);
    return p === q ? `Both say ${p}; their equities differ by ${Math.abs(a.equity - b.equity).toFixed(3)}.` :
      `They differ: ${a.net} says ${p}, ${b.net} says ${q}.`;
  }

  // A play made on the board: it is pointed at in the tables, and made when it is complete.
  function playChanged() {
    $("undo").disabled = move.past.length === 0;
    $("play").hidden = !move.complete() || move.made.length === 0;
  }

  // ----- what can be clicked

  function setUp(at) {
    const p = { me: state.position.me.slice(), opp: state.position.opp.slice() };
    const other = at === 24 ? 24 : 23 - at;
    const sum = (s) => s.reduce((a, b) => a + b, 0);
    if (edit === "less") {
      if (p.me[at] > 0) p.me[at]--;
      else if (p.opp[other] > 0) p.opp[other]--;
    } else {
      const [own, i, their, k] = edit === "me" ? [p.me, at, p.opp, other] : [p.opp, other, p.me, at];
      if (sum(own) === 15) return;
      if (at < 24) their[k] = 0;
      own[i]++;
    }
    set({ ...state, position: p }, false);
  }

  board.addEventListener("click", (e) => {
    const at = e.target.dataset.at;
    if (edit && at !== undefined && Number(at) >= 0) setUp(Number(at));
    else if (e.target.closest("[data-act=cube]")) turnCube();
  });
  board.addEventListener("keydown", (e) => {
    if (!edit || (e.key !== "Enter" && e.key !== " ") || e.target.dataset.at === undefined) return;
    e.preventDefault();
    setUp(Number(e.target.dataset.at));
  });

  // A click on the cube hands it on: middle, light's 2, dark's 2, middle.
  function turnCube() {
    const next = { none: "me", me: "opponent", opponent: "none" }[state.owner];
    set({ ...state, owner: next, cube: next === "none" ? 1 : Math.max(2, state.cube) });
  }

  for (const b of document.querySelectorAll("[data-die]")) {
    b.addEventListener("click", () => {
      const [k, n] = b.dataset.die.split(":").map(Number), dice = state.dice.slice();
      dice[k] = dice[k] === n ? 0 : n;
      set({ ...state, dice }, false);
    });
  }
  for (const b of document.querySelectorAll("[data-edit]")) {
    b.addEventListener("click", () => { edit = edit === b.dataset.edit ? "" : b.dataset.edit; set(state, false); });
  }
  for (const b of document.querySelectorAll("[data-owner]")) {
    b.addEventListener("click", () => set({ ...state, owner: b.dataset.owner,
      cube: b.dataset.owner === "none" ? 1 : Math.max(2, state.cube) }));
  }
  const on = (id, event, f) => $(id).addEventListener(event, f);
  on("less", "click", () => set({ ...state, cube: Math.max(state.owner === "none" ? 1 : 2, state.cube / 2) }));
  on("more", "click", () => set({ ...state, owner: state.owner === "none" ? "me" : state.owner,
    cube: Math.min(1024, state.cube * 2) }));
  on("nodice", "click", () => set({ ...state, dice: [0, 0] }));
  on("random", "click", () => set({ ...state, dice: [0, 1].map(() => 1 + crypto.getRandomValues(new Uint32Array(1))[0] % 6) }));
  const needs = () => {
    const [a, b] = ["needs", "theirs"].map((id) => Math.min(25, Math.max(0, Math.round(Number($(id).value) || 0))));
    set({ ...state, away: [a, b] });
  };
  on("needs", "change", needs);
  on("theirs", "change", needs);
  on("crawford", "change", () => set({ ...state, crawford: $("crawford").checked }));
  on("undo", "click", () => move.undo());
  on("play", "click", () => { $("play").hidden = true; set(played(state, encode(swapped(move.position)))); });
  on("flip", "click", () => set(turned(state)));
  on("start", "click", () => set({ ...newState(), away: state.away, crawford: state.crawford }));
  on("empty", "click", () => {
    edit = "me";
    set({ ...state, dice: [0, 0], position: { me: Array(25).fill(0), opp: Array(25).fill(0) } });
  });
  on("ask", "submit", (e) => { e.preventDefault(); $("id").blur(); read($("id").value.trim(), "", true); });
  for (const id of ["ply", "net", "beside"]) on(id, "change", () => set(state, false));

  // ----- rollouts

  on("roll", "click", () => {
    if (stop) { stop(); return; }
    const common = { id: xgid(state), net: nets()[0], trials: $("trials").value };
    const jobs = [], plays = [...chosen];
    const job = (title, cube) => {
      const q = new URLSearchParams({ ...common, cube });
      for (const p of plays) q.append("play", p);
      jobs.push({ title, query: q });
    };
    if ($("how").value !== "cube") job("Cubeless, for money", "none");
    if ($("how").value !== "cubeless") job(state.away[0] ? "With the cube, at the score" : "With the cube", "gnubg");
    $("roll").textContent = "Stop";
    $("trouble").textContent = "";
    stop = bgtrain.rollOut($("rolled"), jobs, (text) => {
      stop = null;
      $("roll").textContent = "Roll out";
      $("trouble").textContent = text;
    });
  });

  // ----- keys

  addEventListener("keydown", (e) => {
    if (e.target.matches("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
    const keys = { r: "random", n: "nodice", f: "flip", u: "undo", o: "roll" };
    if (keys[e.key] && !$(keys[e.key]).disabled) { e.preventDefault(); $(keys[e.key]).click(); }
  });
  addEventListener("popstate", () => {
    const q = new URLSearchParams(location.search);
    read(q.get("id") ?? "", q.get("dice") ?? "", false);
  });

  for (const b of document.querySelectorAll("[data-copies]")) {
    b.addEventListener("click", async () => {
      await navigator.clipboard.writeText($(b.dataset.copies).textContent);
      b.textContent = "copied";
      setTimeout(() => { b.textContent = "copy"; }, 1500);
    });
  }

  if (["0", "1", "2", "3"].includes(query.get("ply"))) $("ply").value = query.get("ply");
  for (const id of ["net", "beside"]) {
    if ([...$(id).options].some((o) => o.value === query.get(id))) $(id).value = query.get(id);
  }
  // The address before games of a match were written had the dice beside the ID.
  read(query.get("id") ?? "", query.get("dice") ?? "", false);
})();

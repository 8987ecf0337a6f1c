"use strict";
// What a net has to say about a position: chances, the cube, plays.
(() => {
  const { element, format } = bgtrain;
  const { equity, percent, plain } = format;
  const words = bgtrain.words = (action) => action.replace("/", ", ").replace("no-double", "no double")
    .replace("too-good", "too good to double");

  // Chances as a bar and figures.
  bgtrain.chances = (o) => {
    const part = (width, kind, title) => element("span", { class: kind, style: undefined, title, "data-width": width });
    const bar = element("div", { class: "chances", "aria-hidden": "true" }, part(o[2], "w3", "backgammons won"),
      part(o[1] - o[2], "w2", "gammons won"), part(o[0] - o[1], "w1", "single games won"),
      part(1 - o[0] - o[3], "l1", "single games lost"), part(o[3] - o[4], "l2", "gammons lost"),
      part(o[4], "l3", "backgammons lost"));
    for (const e of bar.children) e.style.flexGrow = Math.max(0, Number(e.dataset.width));
    const figure = (name, x) => element("div", {}, element("dt", {}, name), element("dd", {}, `${percent(x)} %`));
    return element("div", {}, bar, element("dl", { class: "figures" }, figure("win", o[0]), figure("gammon", o[1]),
      figure("backgammon", o[2]), figure("lose", 1 - o[0]), figure("gammon", o[3]), figure("backgammon", o[4])));
  };

  // A cube decision by a model.
  bgtrain.cubeTable = (c) => {
    const doubles = c.action.startsWith("double"), takes = c.action.endsWith("/take");
    const best = !doubles ? "no double" : takes ? "double, take" : "double, pass";
    const answered = Math.min(c.double_take, c.double_pass);
    const rows = [["no double", c.no_double], ["double, take", c.double_take], ["double, pass", c.double_pass]];
    const right = doubles ? answered : c.no_double;
    const body = rows.map(([name, x]) => element("tr", { class: name === best ? "best" : undefined },
      element("th", { scope: "row" }, name), element("td", {}, equity(x)),
      element("td", { class: "se" }, name === best ? "" : `${plain(x - right)}`)));
    const advice = c.available ? words(c.action) : "the player on roll cannot double, or has no use for it";
    const chance = c.mwc ? ` · ${percent(c.mwc)} % to win the match` : "";
    return element("div", {}, element("p", { class: "advice" }, element("b", {}, advice),
      element("span", { class: "se" }, chance)), element("table", { class: "small cube" }, element("tbody", {}, ...body)),
      element("p", { class: "about" }, `With the cube, by model ${c.model}.`));
  };

  // Plays as they are to be read: what was searched further first, by equity with the cube.
  bgtrain.ordered = (plays) => plays.slice().sort((a, b) => b.ply - a.ply ||
    (b.cubeful ?? b.equity) - (a.cubeful ?? a.equity));

  // Why some of the plays, the best first, have another ply than was asked for.
  bgtrain.whyLess = (list, ply) => list.every((p) => p.ply >= ply) ? [] : [element("p", { class: "about" }, list[0].ply < ply ?
    `Not searched at ${ply}-ply: ${list.length > 1 ? "at 0-ply the others are too far behind the best" :
      "there is no other play"}.` : "Plays of a lower ply were not searched further: too far behind the best.")];

  // The table of plays. chosen is a set of names that may be ticked; over is called with a
  // play that is pointed at, or null; made with one that is to be made.
  bgtrain.playsTable = (plays, ply, { chosen, over, made, tick }) => {
    const list = bgtrain.ordered(plays), top = list[0];
    const rows = list.map((p, i) => {
      const value = p.cubeful ?? p.equity, best = top.cubeful ?? top.equity;
      const name = element("button", { type: "button", class: "play", title: "make this play", onclick: () => made(p) },
        p.play);
      const o = p.outputs.map(percent);
      const box = chosen && element("input", { type: "checkbox", "aria-label": `roll out ${p.play}`,
        checked: chosen.has(p.play), onchange: (e) => tick(p.play, e.target.checked) });
      const row = element("tr", { class: i === 0 ? "best" : undefined, "data-play": p.play },
        element("th", { scope: "row" }, element("span", { class: "ticked" }, ...(box ? [box] : []), name)), element("td", {}, equity(value)),
        element("td", { class: "lost" }, i === 0 ? "" : plain(value - best)));
      const more = element("tr", { class: "more" }, element("td", { colspan: 3 },
        `cubeless ${equity(p.equity)} · ${o[0]} ${o[1]} ${o[2]} – ${plain(100 - 100 * p.outputs[0], 1)} ${o[3]} ${o[4]}${p.ply < ply ? ` · ${p.ply}‑ply` : ""}`));
      for (const e of [row, more]) {
        e.addEventListener("pointerenter", () => over(p));
        e.addEventListener("pointerleave", () => over(null));
      }
      name.addEventListener("focus", () => over(p));
      name.addEventListener("blur", () => over(null));
      return [row, more];
    });
    const table = element("table", { class: "small plays" }, element("thead", {}, element("tr", {},
      ...["play", "equity with cube", "less"].map((t) => element("th", { scope: "col" }, t)))),
      element("tbody", {}, ...rows.flat()));
    return element("div", {}, table, ...bgtrain.whyLess(list, ply));
  };
})();

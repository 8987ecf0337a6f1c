"use strict";
// Makes a play on a board, by clicks, by dragging, or by keys. Positions have the person on
// roll; the player that is moved is always the light one.
(() => {
  const { steps, move, tag, place } = bgtrain;
  const copy = (b) => ({ me: b.me.slice(), opp: b.opp.slice() });
  const all = (dice) => (dice[0] === dice[1] ? Array(4).fill(dice[0]) : [...dice].sort((a, b) => b - a));

  // Moves on svg; show draws it, by drawing(). changed is called after every step.
  bgtrain.mover = (svg, show, changed) => {
    const m = { position: null, before: null, dice: [], left: [], made: [], past: [], chosen: null, active: false };

    m.begin = (position, dice) => {
      Object.assign(m, { position: copy(position), before: copy(position), dice, left: all(dice), made: [], past: [],
        chosen: null, active: true });
    };
    m.stop = () => Object.assign(m, { active: false, made: [], past: [], chosen: null, dice: [], left: [] });
    m.moves = () => (m.active ? steps(m.position, m.left) : []);
    m.complete = () => m.active && m.moves().length === 0;

    // Where a checker can go with any number of the dice: a map from points to steps.
    function ways(from) {
      const found = new Map();
      let edge = [{ position: m.position, left: m.left, made: [], at: from }];
      while (edge.length > 0) {
        const next = [];
        for (const e of edge) {
          for (const s of steps(e.position, e.left).sort((a, b) => a.die - b.die)) {
            if (s.from !== e.at) continue;
            const position = copy(e.position), left = e.left.slice(), made = [...e.made, s];
            move(position, s.from, s.die);
            left.splice(left.indexOf(s.die), 1);
            if (!found.has(s.to)) found.set(s.to, made);
            if (s.to >= 0) next.push({ position, left, made, at: s.to });
          }
        }
        edge = next;
      }
      return found;
    }

    // What a drawing has to show of the move under way.
    m.drawing = () => {
      const moves = m.moves(), left = m.left.slice();
      const used = all(m.dice.length ? m.dice : [1, 2]).map((d) => {
        const k = left.indexOf(d);
        if (k >= 0) left.splice(k, 1);
        return m.active && k < 0;
      });
      return { dice: m.dice.length ? all(m.dice) : [], used, chosen: m.chosen,
        to: m.chosen === null ? [] : [...ways(m.chosen).keys()], from: [...new Set(moves.map((s) => s.from))] };
    };

    function make(list) {
      for (const s of list) {
        m.past.push({ position: copy(m.position), left: m.left.slice() });
        move(m.position, s.from, s.die);
        m.left.splice(m.left.indexOf(s.die), 1);
        m.made.push([s.from, s.die]);
      }
      m.chosen = null;
      show();
      changed();
    }

    m.undo = () => {
      if (m.past.length === 0) return;
      Object.assign(m, m.past.pop(), { chosen: null });
      m.made.pop();
      show();
      changed();
    };

    m.choose = (at) => {
      if (!m.active) return;
      if (m.chosen !== null && ways(m.chosen).has(at)) { make(ways(m.chosen).get(at)); return; }
      const own = m.moves().filter((s) => s.from === at);
      if (own.length === 0 || m.chosen === at) m.chosen = null;
      else if (new Set(own.map((s) => s.to)).size === 1) { make([own[0]]); return; } // nothing to choose
      else m.chosen = at;
      show();
    };

    const spot = (e) => {
      const at = document.elementFromPoint(e.clientX, e.clientY)?.dataset?.at;
      return at === undefined ? null : Number(at);
    };
    const inside = (e) => new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());

    // A drag begins when the pointer has moved a little with the button down.
    let held = null;
    svg.addEventListener("pointerdown", (e) => {
      const at = spot(e);
      if (!m.active || at === null || e.button > 0 || !m.moves().some((s) => s.from === at)) return;
      held = { at, x: e.clientX, y: e.clientY, checker: null };
    });
    addEventListener("pointermove", (e) => {
      if (!held) return;
      if (!held.checker) {
        if (Math.hypot(e.clientX - held.x, e.clientY - held.y) < 6) return;
        m.chosen = held.at;
        show();
        const [cx, cy] = place(held.at, 0, true);
        svg.insertAdjacentHTML("beforeend", tag("circle", { class: "dragged", cx, cy, r: 10 }));
        held.checker = svg.querySelector(".dragged");
      }
      const p = inside(e);
      held.checker.setAttribute("cx", p.x);
      held.checker.setAttribute("cy", p.y);
    });
    let dropped = false; // the click that ends a drag is none
    addEventListener("pointerup", (e) => {
      if (!held) return;
      const { at, checker } = held;
      held = null;
      if (!checker) return;
      dropped = true;
      setTimeout(() => { dropped = false; });
      const to = spot(e), list = to === null ? undefined : ways(at).get(to);
      m.chosen = null;
      if (list) make(list);
      else show();
    });
    addEventListener("pointercancel", () => { if (held) { held = null; m.chosen = null; show(); } });
    svg.addEventListener("click", (e) => {
      if (!dropped && e.target.dataset.at !== undefined) m.choose(Number(e.target.dataset.at));
    });
    svg.addEventListener("keydown", (e) => {
      if ((e.key !== "Enter" && e.key !== " ") || e.target.dataset.at === undefined || !m.active) return;
      e.preventDefault();
      m.choose(Number(e.target.dataset.at));
    });
    return m;
  };

  // Arrows of a play as people write it, for a drawing: light moves.
  bgtrain.arrows = (position, play, color) => {
    const at = (name) => (name === "bar" ? 24 : name === "off" ? -1 : Number(name) - 1);
    const counts = position.me.slice();
    let t = "";
    for (const word of play.split(" ")) {
      const [, path, times] = /^([^(]*)(?:\((\d)\))?$/.exec(word) ?? [];
      const points = (path ?? "").replaceAll("*", "").split("/").map(at);
      if (points.length < 2 || points.some(Number.isNaN)) continue;
      for (let k = 0; k < Number(times ?? 1); k++) {
        for (let i = 0; i + 1 < points.length; i++) {
          const [from, to] = [points[i], points[i + 1]];
          const [x1, y1] = place(from, Math.max(0, counts[from] - 1), true);
          const [x2, y2] = to < 0 ? [281, 225] : place(to, counts[to], true);
          counts[from]--;
          if (to >= 0) counts[to]++;
          const long = Math.hypot(x2 - x1, y2 - y1) || 1, bend = 9;
          const [mx, my] = [(x1 + x2) / 2 + (y1 - y2) / long * bend, (y1 + y2) / 2 + (x2 - x1) / long * bend];
          const turn = Math.atan2(y2 - my, x2 - mx), tip = (a) => `${x2 - 8 * Math.cos(turn + a)} ${y2 - 8 * Math.sin(turn + a)}`;
          t += tag("path", { d: `M${x1} ${y1}Q${mx} ${my} ${x2} ${y2}`, fill: "none", stroke: color, "stroke-width": 2.6,
            "stroke-linecap": "round" }) + tag("path", { d: `M${x2} ${y2}L${tip(0.5)}L${tip(-0.5)}z`, fill: color });
        }
      }
    }
    return tag("g", { class: "arrows", "pointer-events": "none" }, t);
  };
})();

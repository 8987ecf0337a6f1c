"use strict";
// The board as a picture: the person's light checkers at the bottom, bearing off to the
// right, points numbered as the person counts them. Sizes are SVG units.
(() => {
  const BAR = 24, OFF = -1;
  const point = 20, width = 298, top = 18, bottom = 242, middle = 130;
  const left = 6, barLeft = left + 6 * point, right = barLeft + point, tray = right + 6 * point + 4, tallest = 5;
  const light = { fill: "#fffdf6", stroke: "#3a332b", text: "#222" };
  const dark = { fill: "#33343d", stroke: "#0e0e12", text: "#fff" };
  const die = { light: right + 34, dark: left + 34 };

  const escaped = (s) => String(s).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  function tag(name, attributes, inside = "") {
    const list = Object.entries(attributes).filter(([, v]) => v !== undefined);
    return `<${name}${list.map(([k, v]) => ` ${k}="${escaped(v)}"`).join("")}>${inside}</${name}>`;
  }

  // The middle of the point of index i, as the person counts.
  function middleOf(i) {
    const column = i % 6 + 0.5;
    if (i < 6) return right + point * (6 - column);
    if (i < 12) return barLeft - point * column;
    if (i < 18) return left + point * column;
    return right + point * column;
  }

  // Where checker k of a stack stands. Those on the bar are in the half where they enter.
  function place(i, k, own) {
    if (i === BAR) {
      const from = 18.5 + point * Math.min(k, 3);
      return [barLeft + point / 2, own ? middle - from : middle + from];
    }
    const up = point * (Math.min(k, tallest - 1) + 0.5);
    return [middleOf(i), i < 12 ? bottom - up : top + up];
  }

  function frame() {
    const paths = ["", ""];
    for (let i = 0; i < 24; i++) {
      const [base, tip] = i < 12 ? [bottom, bottom - 98] : [top, top + 98];
      paths[i % 2] += `M${middleOf(i) - point / 2} ${base}h${point}L${middleOf(i)} ${tip}z`;
    }
    const field = (x) => tag("rect", { x, y: top, width: 6 * point, height: bottom - top, fill: "#f0e7d6" });
    const number = (i) => tag("text", { x: middleOf(i), y: i < 12 ? 257.5 : 9 }, i + 1);
    return tag("rect", { y: 12, width, height: 236, rx: 4, fill: "#6b5443" }) + field(left) + field(right) +
      tag("rect", { x: tray, y: top, width: width - 6 - tray, height: bottom - top, fill: "#584436" }) +
      tag("path", { fill: "#d9c3a0", d: paths[0] }) + tag("path", { fill: "#c08f66", d: paths[1] }) +
      tag("g", { "font-size": 9, "text-anchor": "middle", fill: "currentColor" },
        Array.from({ length: 24 }, (_, i) => number(i)).join(""));
  }

  function checkers(side, own) {
    const style = own ? light : dark;
    let circles = "", texts = "";
    side.forEach((n, at) => {
      const i = own || at === BAR ? at : 23 - at, shown = at === BAR ? tallest - 1 : tallest;
      for (let k = 0; k < Math.min(n, shown); k++) {
        const [cx, cy] = place(i, k, own);
        circles += tag("circle", { cx, cy, r: 9.4 });
      }
      if (n <= shown) return;
      const [x, y] = place(i, tallest - 1, own);
      texts += tag("text", { x, y: y + 4.2, "font-size": 12, "font-weight": "bold", "text-anchor": "middle",
        fill: style.text }, n);
    });
    const off = 15 - bgtrain.onBoard(side);
    for (let k = 0; k < off; k++) { // lying on their sides
      const y = own ? bottom - 2 - 6.4 * (k + 1) : top + 2 + 6.4 * k;
      circles += tag("rect", { x: tray + 1.5, y, width: width - 9 - tray, height: 5.8, rx: 1.5 });
    }
    if (off > 0) {
      const y = own ? bottom - 8 - 6.4 * off : top + 14 + 6.4 * off;
      texts += tag("text", { x: (tray + width - 6) / 2, y, "font-size": 11, "text-anchor": "middle", fill: "#fff" },
        off);
    }
    return tag("g", { fill: style.fill, stroke: style.stroke }, circles) + texts;
  }

  const spots = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];
  function drawDie(x, n, own, used) {
    const style = own ? light : dark;
    const spot = (i) => `M${x + 10 + 5.6 * (i % 3 - 1)} ${middle + 5.6 * (Math.floor(i / 3) - 1)}h0`;
    const d = spots[n].map(spot).join("");
    return tag("g", { opacity: used ? 0.35 : undefined },
      tag("rect", { x, y: middle - 10, width: 20, height: 20, rx: 3.5, fill: style.fill, stroke: style.stroke }) +
      tag("path", { d, stroke: style.text, "stroke-width": 3.8, "stroke-linecap": "round" }));
  }

  // The cube: { value, owner }, owner none, me or opponent. In the middle it lies as it does
  // before it is turned.
  function drawCube({ value, owner }) {
    const x = owner === "none" ? barLeft + point / 2 : (tray + width - 6) / 2;
    const y = middle + { none: 0, me: 10, opponent: -10 }[owner], shown = owner === "none" && value === 1 ? 64 : value;
    const size = shown > 99 ? 6.5 : 9.5;
    return tag("g", { "data-act": "cube" }, tag("title", {}, `cube ${value}, ${owner === "none" ? "in the middle" :
      owner === "me" ? "light's" : "dark's"}`) + tag("rect", { class: "cube", x: x - 7, y: y - 7, width: 14, height: 14,
      rx: 2.5, fill: "#fffdf6", stroke: "#3a332b" }) + tag("text", { x, y: y + size * 0.36, "font-size": size,
      "font-weight": "bold", "text-anchor": "middle", fill: "#222" }, shown));
  }

  // The area of a point, of the bar or of the tray.
  function area(i) {
    if (i === BAR) return { x: barLeft, y: top, width: point, height: middle - top };
    if (i === OFF) return { x: tray, y: middle, width: width - tray, height: bottom - middle + 6 };
    return { x: middleOf(i) - point / 2, y: i < 12 ? middle : top - 6, width: point, height: middle - top + 6 };
  }

  const nameOf = (i) => (i === BAR ? "the bar" : i === OFF ? "off" : `point ${i + 1}`);

  // What is on the board, in words.
  function words(position) {
    const stacks = (s) => s.map((n, i) => (n ? `${n} on ${nameOf(i)}` : "")).filter(Boolean).reverse();
    const side = (s) => stacks(s).join(", ") || "none";
    return `You, light: ${side(position.me)}. The other side, by its own count: ${side(position.opp)}.`;
  }

  // Draws a position, { me, opp } with me the person. more: dice of the side that owns
  // them with those used, points to choose from (from, to, chosen), places (last, as
  // the person counts) of the other side's last play; the cube, if it is to be drawn, and
  // over, SVG above all that.
  bgtrain.draw = (svg, position, more) => {
    let t = tag("title", {}, escaped(words(position))) + frame();
    t += checkers(position.opp, false) + checkers(position.me, true);
    more.dice.forEach((d, k) => {
      const pair = more.dice.length === 2, x = more.own ? die.light : die.dark;
      t += drawDie(x + (pair ? 32 * k : 24 * (k - 1)), d, more.own, more.used[k]);
    });
    for (const i of more.last) {
      const n = i < 24 && i >= 0 ? position.opp[23 - i] : 0;
      if (n > 0) {
        const [cx, cy] = place(i, n - 1, false);
        t += tag("circle", { class: "last", cx, cy, r: 8.6 });
      }
    }
    if (more.cube) t += drawCube(more.cube);
    t += more.over ?? "";
    for (let i = OFF; i <= BAR; i++) {
      const to = more.to.includes(i), from = more.from.includes(i);
      const kind = to ? "to" : i === more.chosen ? "from chosen" : from ? "from" : "";
      t += tag("rect", { ...area(i), class: `spot ${kind}`, "data-at": i, role: kind ? "button" : undefined,
        tabindex: kind ? 0 : undefined, "aria-label": kind ? (to ? "to " : "from ") + nameOf(i) : undefined });
    }
    svg.innerHTML = t;
  };
  Object.assign(bgtrain, { tag, place, middleOf });
})();

"use strict";
// The game: positions, their IDs and classes, legal plays, plays in words. A position is
// { me, opp }: for each side 25 counts of checkers, its own 1-point to 24-point, then its
// bar, the player on roll being me. Point i of a side is 23 - i to the other.
(() => {
  const BAR = 24;

  const start = () => {
    const side = () => { const s = Array(25).fill(0); s[5] = 5; s[7] = 3; s[12] = 5; s[23] = 2; return s; };
    return { me: side(), opp: side() };
  };
  const swapped = (b) => ({ me: b.opp, opp: b.me });
  const onBoard = (s) => { let n = 0; for (let i = 0; i < 25; i++) n += s[i]; return n; };
  const rear = (s) => { let i = BAR; while (i >= 0 && s[i] === 0) i--; return i; };
  const pips = (s) => s.reduce((sum, n, i) => sum + (i + 1) * n, 0);

  // The class of a position, which is the role of the net that values it.
  function classify(b) {
    const me = rear(b.me), opp = rear(b.opp);
    if (me < 0 || opp < 0) return "over";
    if (me + opp <= 22) return "race";
    const crashed = (s) => onBoard(s) - (s[0] > 1 ? s[0] : 0) - Math.max(s[1] - 1, 0) <= 6;
    return crashed(b.me) || crashed(b.opp) ? "crashed" : "contact";
  }

  // Position IDs: 80 bits, lowest first, the player not on roll, then the one on roll:
  // for each of 25 points a 1 for each checker, then a 0.
  function decode(id) {
    const bytes = atob(id + "==");
    let at = 0;
    const side = () => Array.from({ length: 25 }, () => {
      let n = 0;
      while (at < 80 && (bytes.charCodeAt(at >> 3) >> (at & 7)) & 1) { n++; at++; }
      at++;
      return n;
    });
    const opp = side();
    return { me: side(), opp };
  }

  function encode(b) {
    const bytes = Array(10).fill(0);
    let at = 0;
    for (const s of [b.opp, b.me]) {
      for (let i = 0; i < 25; i++, at++) for (let n = s[i]; n > 0; n--, at++) bytes[at >> 3] |= 1 << (at & 7);
    }
    return btoa(String.fromCharCode(...bytes)).slice(0, 14);
  }

  // All rolls with their weights of 36.
  const rolls = [];
  for (let hi = 1; hi <= 6; hi++) for (let lo = 1; lo <= hi; lo++) rolls.push([hi, lo, hi === lo ? 1 : 2]);

  // Whether a checker of b.me may go from point x by die d.
  function movable(b, x, d, back) {
    const { me, opp } = b;
    if (me[x] === 0 || (me[BAR] > 0 && x !== BAR)) return false;
    if (x >= d) return opp[23 - x + d] < 2;
    return back < 6 && (x === d - 1 || x === back); // off: by the number, or from the rearmost point
  }

  // Moves it, and returns whether it hits.
  function move(b, x, d) {
    b.me[x]--;
    const to = x - d;
    if (to < 0) return false;
    b.me[to]++;
    if (b.opp[23 - to] === 0) return false;
    b.opp[23 - to] = 0;
    b.opp[BAR]++;
    return true;
  }

  function unmove(b, x, d, hit) {
    b.me[x]++;
    const to = x - d;
    if (to < 0) return;
    b.me[to]--;
    if (!hit) return;
    b.opp[23 - to] = 1;
    b.opp[BAR]--;
  }

  // The distinct positions that a roll leads to, the opponent on roll, each with the
  // moves that lead there, [from, die] each. Without a move it is the position itself.
  function plays(b, d1, d2) {
    const at = { me: b.me.slice(), opp: b.opp.slice() }, made = [];
    let results = [];
    const keep = () => results.push({ me: at.opp.slice(), opp: at.me.slice(), moves: made.slice() });
    if (d1 === d2) doubles(at, d1, made, keep, () => { results = []; });
    else {
      const hi = Math.max(d1, d2), lo = Math.min(d1, d2);
      both(at, hi, lo, made, keep);
      both(at, lo, hi, made, keep);
      results = distinct(results);
      for (const d of [hi, lo]) {
        if (results.length === 0) each(at, d, BAR, made, keep); // one of them only: the larger if possible
      }
    }
    if (results.length === 0) keep();
    return results;
  }

  // Calls then after each move by die d from point most or one before it.
  function each(b, d, most, made, then) {
    const back = rear(b.me);
    let any = false;
    for (let x = Math.min(back, most); x >= 0; x--) {
      if (!movable(b, x, d, back)) continue;
      any = true;
      const hit = move(b, x, d);
      made.push([x, d]);
      then(x);
      made.pop();
      unmove(b, x, d, hit);
    }
    return any;
  }

  const both = (b, first, second, made, keep) => each(b, first, BAR, made, () => { each(b, second, BAR, made, keep); });

  // As many moves as possible, from the rearmost to the foremost: so each result comes once.
  function doubles(b, d, made, keep, forget) {
    let most = 1;
    (function go(from) {
      if (made.length < 4 && each(b, d, from, made, go)) return;
      if (made.length < most) return;
      if (made.length > most) { most = made.length; forget(); }
      keep();
    })(BAR);
  }

  // Leaves results out that stand before. A side is packed into 4 bits a point; of the
  // other side only blots can differ.
  const packed = (s, from) => {
    let n = 0;
    for (let i = from; i < from + 8; i++) n = (n << 4) | s[i];
    return n;
  };
  const blots = (s) => {
    let n = 0;
    for (let i = 0; i < 24; i++) if (s[i] === 1) n |= 1 << i;
    return n;
  };
  const keys = new Int32Array(4 * 1024);

  function distinct(results) {
    let n = 0;
    for (const r of results) {
      const a = packed(r.opp, 0), b = packed(r.opp, 8), c = packed(r.opp, 16), d = blots(r.me);
      let k = 0;
      while (k < 4 * n && (keys[k] !== a || keys[k + 1] !== b || keys[k + 2] !== c || keys[k + 3] !== d)) k += 4;
      if (k < 4 * n) continue;
      keys[k] = a;
      keys[k + 1] = b;
      keys[k + 2] = c;
      keys[k + 3] = d;
      results[n++] = r;
    }
    results.length = n;
    return results;
  }

  // How many of the dice can be played.
  function most(b, dice) {
    let n = 0;
    const tried = new Set();
    for (let i = 0; i < dice.length && n < dice.length; i++) {
      if (tried.has(dice[i])) continue;
      tried.add(dice[i]);
      const rest = dice.toSpliced ? dice.toSpliced(i, 1) : dice.filter((_, k) => k !== i);
      each(b, dice[i], BAR, [], () => { if (n < dice.length) n = Math.max(n, 1 + most(b, rest)); });
    }
    return n;
  }

  // The moves that may be made with the dice that are left: { from, die, to } each, those
  // after which as many dice as possible are played, the larger if one only can be.
  function steps(b, dice) {
    const at = { me: b.me.slice(), opp: b.opp.slice() }, all = most(at, dice), list = [];
    for (const d of new Set(dice)) {
      const rest = dice.slice();
      rest.splice(dice.indexOf(d), 1);
      each(at, d, BAR, [], (x) => {
        if (1 + most(at, rest) === all) list.push({ from: x, die: d, to: Math.max(x - d, -1) });
      });
    }
    if (all > 1 || new Set(dice).size < 2) return list;
    const larger = list.filter((s) => s.die === Math.max(...dice));
    return larger.length > 0 ? larger : list;
  }

  // A play in words, such as "24/18*/13 6/5(2)".
  function notation(b, moves) {
    if (moves.length === 0) return "no move";
    const at = { me: b.me.slice(), opp: b.opp.slice() }, ways = [];
    for (const [from, die] of moves) {
      const hit = move(at, from, die), to = Math.max(from - die, -1);
      const way = ways.find((w) => w.at(-1).to === from);
      const step = { from, to, hit };
      if (way) way.push(step);
      else ways.push([step]);
    }
    const name = (i) => (i === BAR ? "bar" : i < 0 ? "off" : String(i + 1));
    const words = new Map();
    for (const way of ways.sort((a, b) => b[0].from - a[0].from || b.at(-1).to - a.at(-1).to)) {
      const shown = way.filter((s, k) => s.hit || k === way.length - 1);
      const word = name(way[0].from) + shown.map((s) => "/" + name(s.to) + (s.hit ? "*" : "")).join("");
      words.set(word, (words.get(word) ?? 0) + 1);
    }
    return [...words].map(([word, n]) => (n > 1 ? `${word}(${n})` : word)).join(" ");
  }

  Object.assign(bgtrain, { start, swapped, onBoard, rear, pips, classify, decode, encode, rolls, move, plays, steps,
    notation });
})();

"use strict";
// Inputs of nets, fast: points, contact, crashed. The measures are those of package
// features, which explains them; here, as there, sets of points are bit masks. Point
// i of a side is 23 - i to the other; 24 is the bar.
globalThis.bgtrain = { sets: {} };
(() => {
  const f32 = Math.fround;
  const per = (n) => f32(1 / n); // GNU Backgammon multiplies by the rounded reciprocal
  const per6 = per(6), per10 = per(10), per11 = per(11), per24 = per(24), per36 = per(36), per100 = per(100);
  const per167 = per(167), per294 = per(294), per400 = per(400), per432 = per(432), per3600 = per(3600);
  const len = (m) => 32 - Math.clz32(m); // index of the highest bit, and one more
  const low = (m) => 31 - Math.clz32(m & -m); // index of the lowest
  const ones = (m) => { let n = 0; for (; m; m &= m - 1) n++; return n; };
  const some = (m) => (m ? 1 : 0);
  const BAR = 24, barBit = 1 << BAR;

  // The rolls that escape a window: bit k is set where the point k+1 pips ahead is held.
  function countEscapes(w, beyond) {
    const held = (pips) => (w >> (pips - 1)) & 1;
    let n = 0;
    for (let a = 1; a <= 6; a++) {
      for (let b = 1; b <= 6; b++) if (a + b > beyond && !held(a + b) && !(held(a) && held(b))) n++;
    }
    return n;
  }
  const windows = Array.from({ length: 4096 }, (_, w) => w);
  const escapes = Uint8Array.from(windows, (w) => countEscapes(w, 0));
  const escapesBeyond = Uint8Array.from(windows, (w) => (w ? countEscapes(w, low(w) + 1) : 0));

  // What the inputs need of one side.
  const facts = () => ({ side: null, bar: 0, count: 0, pips: 0, back: -1, occupied: 0, made: 0, three: 0, single: 0,
    hitters: 0, seenMade: 0, seenBlots: 0, fewest: new Uint8Array(25) });

  function read(f, s) {
    let count = 0, pips = 0, occupied = 0, made = 0, three = 0, seenMade = 0, seenBlots = 0;
    for (let i = 0; i < 24; i++) {
      const n = s[i];
      if (n === 0) continue;
      count += n;
      pips += i * n;
      occupied |= 1 << i;
      if (n === 1) { seenBlots |= 1 << (23 - i); continue; }
      made |= 1 << i;
      seenMade |= 1 << (23 - i);
      if (n > 2) three |= 1 << i;
    }
    const bar = s[BAR];
    f.side = s;
    f.bar = bar;
    f.count = count + bar;
    f.pips = pips + BAR * bar;
    f.made = made;
    f.three = three;
    f.seenMade = seenMade;
    f.seenBlots = seenBlots;
    f.single = (occupied & ~made) | (bar === 1 ? barBit : 0);
    if (bar > 0) occupied |= barBit;
    f.occupied = occupied;
    f.hitters = occupied & ~(made & ~three & 0x3f); // nobody breaks a home point of two to hit
    f.back = len(occupied) - 1;
    // The fewest rolls with which an opposing checker escapes from its index 15, 16, … or i.
    let least = 36;
    f.fewest[14] = 36;
    for (let i = 15; i < 25; i++) f.fewest[i] = least = Math.min(least, escapes[((made << (i - 15)) >>> 9) & 0xfff]);
  }

  function points(s, x, at) {
    for (let i = 0; i < 24; i++, at += 4) {
      const n = s[i];
      x[at] = n === 1 ? 1 : 0;
      x[at + 1] = n === 2 ? 1 : 0;
      x[at + 2] = n > 2 ? 1 : 0;
      x[at + 3] = n > 3 ? (n - 3) / 2 : 0;
    }
  }

  function pointsAndBar(s, x, at) {
    points(s, x, at);
    const n = s[BAR];
    x[at + 96] = n > 0 ? 1 : 0;
    x[at + 97] = n > 1 ? 1 : 0;
    x[at + 98] = n > 2 ? 1 : 0;
    x[at + 99] = n > 3 ? (n - 3) / 2 : 0;
  }

  function race(s, x, at) {
    for (let i = 0; i < 23; i++) {
      const n = s[i], p = at + 4 * i;
      x[p] = n === 1 ? 1 : 0;
      x[p + 1] = n === 2 ? 1 : 0;
      x[p + 2] = n > 2 ? 1 : 0;
      x[p + 3] = n > 3 ? (n - 3) / 2 : 0;
    }
    let count = 0, cross = 0;
    for (let i = 0; i < 23; i++) { count += s[i]; cross += s[i] * Math.floor(i / 6); }
    for (let k = 0; k < 14; k++) x[at + 92 + k] = 15 - count === k + 1 ? 1 : 0;
    x[at + 106] = cross * per10;
  }

  function tesauro(s, x, at) {
    let count = s[BAR];
    for (let i = 0; i < 24; i++) {
      const n = s[i], p = at + 4 * i;
      count += n;
      x[p] = n > 0 ? 1 : 0;
      x[p + 1] = n > 1 ? 1 : 0;
      x[p + 2] = n > 2 ? 1 : 0;
      x[p + 3] = n > 3 ? (n - 3) / 2 : 0;
    }
    x[at + 96] = s[BAR] / 2;
    x[at + 97] = (15 - count) / 15;
  }

  // The checkers to pass the other side's rearmost, and those that have none to pass.
  function passing(f, front, x, at) {
    const s = f.side;
    let count = 0, sum = 0;
    for (let i = Math.max(front + 1, 0); i < 25; i++) { count += s[i]; sum += i * s[i]; }
    const level = front >= 0 ? s[front] : 0;
    x[at + 3] = (sum + count - front * count) * per167;
    x[at + 23] = (f.pips + f.count - (sum + count) - (front + 1) * level) * per100;
  }

  function anchors(f, x, at) {
    x[at + 4] = f.back * per24;
    x[at + 5] = (len(f.made) - 1) * per24;
    const home = f.made >>> 18;
    x[at + 6] = (home ? 6 - low(home) : 13 - len((f.made >>> 12) | 1)) * per6;
  }

  // Shots. T: blots worth hitting; H: places to hit from; O: points that the other side
  // does not hold; B: all blots. Pips lost, rolls that hit, rolls that hit two.
  let T = 0, H = 0, O = 0, B = 0, single = 0, lost = 0, hit = 0, hitTwo = 0;

  const add = (weight, m) => { lost += weight * len(m); hit += weight * some(m); };
  const passes = (m, way) => ((m & ~way) < (m & way) ? 1 : 0); // the rearmost hitter hits on its way, too

  function hits(f, o, x, at) {
    T = B = o.seenBlots;
    O = ~o.seenMade;
    H = f.hitters;
    single = f.single;
    if (ones(f.occupied & 0x3f) <= 2) T &= ~3;
    lost = hit = hitTwo = 0;
    if (T !== 0 && H >>> low(T) >>> 1 !== 0) {
      if (f.bar === 1) oneOnBar();
      else if (f.bar > 1) entering();
      else { free(); freeTwo(); }
    }
    x[at + 7] = lost * per432;
    x[at + 8] = hit * per36;
    x[at + 9] = hitTwo * per36;
  }

  function free() {
    const d1 = T & (H >>> 1), d2 = T & (H >>> 2), d3 = T & (H >>> 3), d4 = T & (H >>> 4), d5 = T & (H >>> 5);
    const d6 = T & (H >>> 6), d8 = T & (H >>> 8), d9 = T & (H >>> 9), d10 = T & (H >>> 10), d12 = T & (H >>> 12);
    const o1 = O >>> 1, o2 = O >>> 2, o3 = O >>> 3, o4 = O >>> 4, o5 = O >>> 5, o6 = O >>> 6;
    // Doubles: every step but the last needs an open point.
    add(1, d1 | o1 & (d2 | o2 & (d3 | o3 & d4)));
    add(1, d2 | o2 & (d4 | o4 & (d6 | o6 & d8)));
    add(1, d3 | o3 & (d6 | o6 & (d9 | (O >>> 9) & d12)));
    add(1, d4 | o4 & (d8 | (O >>> 8) & (d12 | (O >>> 12) & T & (H >>> 16))));
    add(1, d5 | o5 & (d10 | (O >>> 10) & (T & (H >>> 15) | (O >>> 15) & T & (H >>> 20))));
    add(1, d6 | o6 & (d12 | (O >>> 12) & (T & (H >>> 18) | (O >>> 18) & T & (H >>> 24))));
    // The others go by way of either of two points.
    const d7 = T & (H >>> 7);
    add(2, d1 | d2 | d3 & (o1 | o2));
    add(2, d1 | d3 | d4 & (o1 | o3));
    add(2, d1 | d4 | d5 & (o1 | o4));
    add(2, d1 | d5 | d6 & (o1 | o5));
    add(2, d1 | d6 | d7 & (o1 | o6));
    add(2, d2 | d3 | d5 & (o2 | o3));
    add(2, d2 | d4 | d6 & (o2 | o4));
    add(2, d2 | d5 | d7 & (o2 | o5));
    add(2, d2 | d6 | d8 & (o2 | o6));
    add(2, d3 | d4 | d7 & (o3 | o4));
    add(2, d3 | d5 | d8 & (o3 | o5));
    add(2, d3 | d6 | d9 & (o3 | o6));
    add(2, d4 | d5 | d9 & (o4 | o5));
    add(2, d4 | d6 | d10 & (o4 | o6));
    add(2, d5 | d6 | T & (H >>> 11) & (o5 | o6));
  }

  // Rolls that hit two: with both dice, unless one checker would have to hit twice, or
  // with one checker on its way to another hit.
  const only = new Int32Array(7), direct = new Int32Array(7);
  function freeTwo() {
    let dice = 0;
    for (let d = 1; d <= 6; d++) {
      direct[d] = T & (H >>> d);
      dice += some(direct[d]);
    }
    if ((B & (B - 1)) === 0) { hitTwo = dice * (dice - 1); return; }
    for (let d = 1; d <= 6; d++) {
      hitTwo += doubleTwo(d, direct[d]);
      only[d] = direct[d] ? (1 << (len(direct[d]) - 1) << d) & single : 0;
    }
    for (let a = 1; a <= 6; a++) {
      for (let b = a + 1; b <= 6; b++) {
        const both = direct[a] && direct[b] && !(only[a] & only[b]);
        const way = T & (H >>> (a + b)) & ((O >>> a) | (O >>> b));
        if (both || passes(way, (B >>> a) | (B >>> b))) hitTwo += 2;
      }
    }
  }

  function doubleTwo(d, m) {
    if (m & (m - 1)) return 1;
    let way = T & (O >>> d), touched = B >>> d;
    if (passes(way & shifted(H, 2 * d), touched)) return 1;
    way &= shifted(O, 2 * d);
    touched |= shifted(B, 2 * d);
    if (passes(way & shifted(H, 3 * d), touched)) return 1;
    way &= shifted(O, 3 * d);
    touched |= shifted(B, 3 * d);
    return passes(way & shifted(H, 4 * d), touched);
  }
  const shifted = (m, n) => m >>> n; // n is 24 at most

  // With one checker on the bar, which enters first.
  function oneOnBar() {
    const enters = (d) => (O >>> (24 - d)) & 1;
    const rest = (d) => T & ((H & ~barBit) >>> d);
    for (let a = 1; a <= 6; a++) {
      const bar = T & (barBit >>> a);
      doubleFromBar(a, bar, rest(a));
      for (let b = a + 1; b <= 6; b++) {
        const other = T & (barBit >>> b), ra = enters(b) ? rest(a) : 0, rb = !ra && enters(a) ? rest(b) : 0;
        const sum = T & (barBit >>> (a + b)) & ((O >>> a) | (O >>> b));
        add(2, bar | other | ra | rb | sum);
        let n = some(bar) + some(other) + some(ra | rb);
        // GNU Backgammon looks one point past those that the checker touches.
        if (sum) n = Math.max(n, 1) + some(B & ((barBit >>> (a + 2)) | (barBit >>> (b + 2))));
        if (n > 1) hitTwo += 2;
      }
    }
  }

  function doubleFromBar(d, bar, rest) {
    let m = bar, n = some(bar), open = O >>> d, passed = barBit >>> (d + 2);
    if (rest && (O >>> (24 - 2 * d)) & 1) { // GNU Backgammon checks here whether twice the die enters
      m |= rest;
      n++;
    }
    for (let k = 2; k <= 4; k++) {
      const on = T & (barBit >>> (k * d)) & open;
      if (on) {
        m |= on;
        n = Math.max(n, 1) + some(B & passed);
      }
      open &= O >>> (k * d);
      passed |= barBit >>> (k * d + 2);
    }
    add(1, m);
    if (n > 1) hitTwo++;
  }

  // With more on the bar, which hit only as they enter.
  function entering() {
    for (let a = 1; a <= 6; a++) {
      const g = T & (barBit >>> a);
      add(1, g);
      for (let b = 1; b < a; b++) {
        const h = T & (barBit >>> b);
        add(2, g | h);
        hitTwo += 2 * some(g) * some(h);
      }
    }
  }

  function containment(f, back, x, at) {
    const window = back < 0 ? 0 : (f.made >>> (24 - back)) & 0xfff;
    x[at + 10] = escapes[window] * per36;
    x[at + 24] = escapesBeyond[window] * per36;
    let c = f32((36 - f.fewest[Math.max(back, 14)]) * per36);
    x[at + 11] = c;
    x[at + 12] = c * c;
    c = f32((36 - f.fewest[23]) * per36);
    x[at + 13] = c;
    x[at + 14] = c * c;
  }

  function mobility(f, o) {
    let n = 0;
    for (let m = f.occupied & ~0x3f; m; m &= m - 1) {
      const i = low(m);
      n += (i - 5) * f.side[i] * escapes[(o.made >>> (24 - i)) & 0xfff];
    }
    return n;
  }

  // Mean square distance from the mean of the checkers behind the mean, both rounded up.
  function moment(f) {
    if (f.count === 0) return 0;
    const mean = Math.ceil(f.pips / f.count);
    let count = 0, total = 0;
    for (let i = mean + 1; i < 25; i++) {
      count += f.side[i];
      total += f.side[i] * (i - mean) * (i - mean);
    }
    return count && Math.ceil(total / count);
  }

  // Pips lost by one and by more checkers on the bar, and the chance to stay out, by the
  // home points that the other side holds.
  const enterLoss = [1, 2].map((two) => Float32Array.from({ length: 64 }, (_, held) => {
    const out = (d) => (held >> (d - 1)) & 1;
    let loss = 0;
    for (let hi = 1; hi <= 6; hi++) {
      for (let lo = 1; lo <= hi; lo++) {
        if (hi === lo) loss += out(hi) ? 4 * hi : 0;
        else if (out(hi) && out(lo)) loss += 2 * (hi + lo);
        else if (two === 2) loss += out(hi) ? 2 * hi : out(lo) ? 2 * lo : 0;
      }
    }
    return loss * per294;
  }));
  const enterChance = Float32Array.from({ length: 64 }, (_, held) => (36 - (6 - ones(held)) ** 2) * per36);

  // Pips to be played before the home board breaks.
  function timing(f, front) {
    const s = f.side, stays = Math.max(front, 11);
    let spare = f.bar, pips = BAR * f.bar;
    for (let i = 6; i < 24; i++) {
      const n = s[i] - (i > stays && s[i] >= 2 ? 2 : 0);
      spare += n;
      pips += i * n;
    }
    for (let i = 5; i >= 0; i--) {
      const n = s[i] - 2;
      if (spare + n < 0) continue;
      spare += n;
      pips += i * n;
    }
    return pips;
  }

  // How far the held points lie from the rearmost.
  const near = Uint8Array.from({ length: 24 }, (_, d) => (d <= 6 ? 11 : d <= 11 ? 13 - d : 0));
  function backbone(f) {
    const made = f.made & ~1, rear = len(made) - 1;
    if (rear < 0 || (made & (made - 1)) === 0) return 0;
    let weight = 0, others = 0;
    for (let m = made & ~(1 << rear); m; m &= m - 1, others++) weight += near[rear - low(m)];
    const n = f.side[rear];
    return f32(1 - f32(f32(n * weight * per11) / (n * others)));
  }

  // The measures of side f against side o, but for the checkers off.
  function measure(f, o, x, at) {
    const front = 23 - o.back, held = o.made & 0x3f;
    passing(f, front, x, at);
    anchors(f, x, at);
    hits(f, o, x, at);
    containment(f, o.back, x, at);
    x[at + 15] = mobility(f, o) * per3600;
    x[at + 16] = moment(f) * per400;
    x[at + 17] = f.bar ? enterLoss[f.bar > 1 ? 1 : 0][held] : 0;
    x[at + 18] = enterChance[held];
    x[at + 19] = timing(f, front) * per100;
    x[at + 20] = backbone(f);
    const points = ones(f.made >>> 18);
    let n = f.bar;
    for (let i = 18; i < 24; i++) n += f.side[i];
    x[at + 21] = points > 1 ? (n - 3) / 4 : 0;
    x[at + 22] = points === 1 ? n / 8 : 0;
  }

  function off(x, at, n, unit, first) {
    const stretch = Math.min(Math.floor(Math.max(0, n - first) / unit), 2);
    for (let k = 0; k < 3; k++) x[at + k] = k < stretch ? 1 : k > stretch ? 0 : (n - stretch * unit) * per(unit);
  }

  const my = facts(), his = facts();
  function contact(b, x, crashed) {
    read(my, b.me);
    read(his, b.opp);
    pointsAndBar(b.opp, x, 0);
    pointsAndBar(b.me, x, 100);
    measure(my, his, x, 200);
    measure(his, my, x, 225);
    const mine = 15 - my.count, others = 15 - his.count;
    if (crashed) {
      off(x, 200, mine, 5, 1);
      off(x, 225, others, 5, 1);
    } else { // a side's block has the other's checkers off: so GNU Backgammon trained this net
      off(x, 200, others, 3, 0);
      off(x, 225, mine, 3, 0);
    }
  }

  // What bgtrain-contact has of a side besides: rolls that hit on each point, rolls that
  // make it, rolls with which a checker escapes from it. What a number reaches is a mask
  // for any checker (a…), and one for those that a point can spare (s…).
  const reachA = new Int32Array(7), reachS = new Int32Array(7);
  const hitting = new Uint8Array(24), making = new Uint8Array(24);

  function count(mask, weight, list) { for (; mask; mask &= mask - 1) list[low(mask)] += weight; }

  function nextRoll(f, o, x, at) {
    const all = f.occupied & 0xffffff, ownBlots = all & ~f.made, spare = ownBlots | f.three;
    const open = 0xffffff & ~o.seenMade, blots = o.seenBlots, empty = open & ~all, pairs = f.made;
    hitting.fill(0);
    making.fill(0);
    for (let a = 1; a <= 6; a++) {
      reachA[a] = (all >>> a) & open;
      reachS[a] = (spare >>> a) & open;
    }
    for (let a = 1; a <= 6; a++) {
      if (f.bar > 0) enterDouble(f.bar, a);
      else double(a);
      for (let b = a + 1; b <= 6; b++) {
        if (f.bar > 1) {
          const at = ((barBit >>> a) | (barBit >>> b)) & open;
          count(at & blots, 2, hitting);
          count(at & ownBlots, 2, making);
        } else if (f.bar === 1) {
          let h = 0, m = 0;
          for (const [first, second] of [[a, b], [b, a]]) {
            const at = (barBit >>> first) & open;
            if (!at) continue;
            h |= (at | ((all | at) >>> second)) & blots;
            m |= (at | ((spare | at) >>> second)) & ownBlots | at & (spare >>> second) & empty;
          }
          count(h, 2, hitting);
          count(m, 2, making);
        } else {
          const ra = reachA[a], rb = reachA[b], sa = reachS[a], sb = reachS[b];
          count((ra | rb | (ra >>> b) | (rb >>> a)) & blots, 2, hitting);
          count((sa | sb | (sa >>> b) | (sb >>> a)) & ownBlots | sa & sb & empty, 2, making);
        }
      }
    }
    for (let i = 0; i < 24; i++) {
      x[at + i] = hitting[i] / 12;
      x[at + 24 + i] = making[i] / 12;
    }
    for (let i = 0; i < 19; i++) {
      x[at + 48 + i] = (f.occupied >>> (6 + i)) & 1 ? escapes[(o.made >>> (18 - i)) & 0xfff] / 12 : 0;
    }

    function double(a) {
      const a1 = reachA[a], a2 = (a1 >>> a) & open, a3 = (a2 >>> a) & open;
      const s1 = reachS[a], s2 = (s1 >>> a) & open, s3 = (s2 >>> a) & open, p = (pairs >>> a) & open;
      count((a1 | a2 | a3 | (a3 >>> a)) & blots, 1, hitting);
      // Two come from one place in one step or two, or from two places in three or four.
      count((s1 | s2 | s3 | (s3 >>> a)) & ownBlots | (p | (p >>> a) | s1 & (s2 | s3)) & empty, 1, making);
    }

    function enterDouble(bar, a) { // each checker on the bar takes one step
      const at = (barBit >>> a) & open;
      if (!at) return;
      let any = at, free = at, anyAt = all | at, freeAt = spare | at;
      for (let k = bar; k < 4; k++) {
        any |= anyAt = (anyAt >>> a) & open;
        free |= freeAt = (freeAt >>> a) & open;
      }
      const one = reachS[a], two = (one >>> a) & open;
      const pair = bar === 1 ? (pairs >>> a) | one & two : bar === 2 ? (pairs >>> a) | at : at;
      count(any & blots, 1, hitting);
      count(free & ownBlots | pair & empty, 1, making);
    }
  }

  // Each set writes its inputs of a board, { me, opp }, to x.
  Object.assign(bgtrain.sets, {
    "tesauro": { size: 196, encode(b, x) { tesauro(b.me, x, 0); tesauro(b.opp, x, 98); } },
    "gnubg-prune": { size: 200, encode(b, x) { pointsAndBar(b.opp, x, 0); pointsAndBar(b.me, x, 100); } },
    "gnubg-race": { size: 214, encode(b, x) { race(b.opp, x, 0); race(b.me, x, 107); } },
    "gnubg-contact": { size: 250, encode(b, x) { contact(b, x, false); } },
    "gnubg-crashed": { size: 250, encode(b, x) { contact(b, x, true); } },
    "bgtrain-contact": { size: 384, encode(b, x) {
      contact(b, x, false);
      nextRoll(my, his, x, 250);
      nextRoll(his, my, x, 317);
    } },
  });
})();

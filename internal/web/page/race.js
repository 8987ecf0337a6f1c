"use strict";
// The inputs of bgtrain-race: those of gnubg-race, the rolls that each side needs, and
// the chances that follow. They read two tables, rolls.bin and within.bin, in the layout
// of package features, and round to float32 where it does.
(() => {
  const f32 = Math.fround;
  const HORIZON = 8; // rolls that are looked at one by one
  const clamp = (x, lo, hi) => Math.min(Math.max(x, lo), hi);

  // choose[k][n] is the number of ways to choose k of n.
  const choose = Array.from({ length: 7 }, (_, k) => Float64Array.from({ length: 32 }, (_, n) => {
    let c = 1;
    for (let i = 1; i <= k; i++) c = c * (n - k + i) / i;
    return n < k ? 0 : c;
  }));

  // Layout of rolls.bin: moments of each home board; of the first checker off of all
  // fifteen; a net of 32 hidden units and 5 outputs.
  const HOMES = 54264, FIRST_FIFTEEN = 38760, HIDDEN = 32;
  const FIRST = 6 * HOMES, THRESHOLDS = FIRST + 4 * (HOMES - FIRST_FIFTEEN);
  const WEIGHTS = THRESHOLDS + 2 * HIDDEN, OUTPUTS = WEIGHTS + 24 * 16 * 2 * HIDDEN;
  // Layout of within.bin: all off, of up to 10 checkers in the home board, of one outside
  // and up to 5, of two outside and up to 3; the first off, of up to two outside, of more.
  const ONE = 16 * 8008, TWO = ONE + 16 * 18 * 462, SAFE = TWO + 16 * 171 * 84, THREE = SAFE + 64 * 8 * 190;

  let rolls = null, within = null; // views of the tables
  const thresholds = new Int32Array(HIDDEN), weights = new Int32Array(24 * 16 * HIDDEN);
  const outputs = new Float32Array(5 * HIDDEN), bias = new Float32Array(5);

  bgtrain.setRaceTables = (rollsTable, withinTable) => {
    rolls = new DataView(rollsTable.buffer, rollsTable.byteOffset, rollsTable.length);
    within = new DataView(withinTable.buffer, withinTable.byteOffset, withinTable.length);
    for (let k = 0; k < HIDDEN; k++) thresholds[k] = rolls.getInt16(THRESHOLDS + 2 * k, true);
    for (let k = 0; k < weights.length; k++) weights[k] = rolls.getInt16(WEIGHTS + 2 * k, true);
    for (let o = 0; o < 5; o++) {
      const at = (k) => rolls.getFloat32(OUTPUTS + 4 * (o * (HIDDEN + 1) + k), true);
      for (let k = 0; k < HIDDEN; k++) outputs[o * HIDDEN + k] = at(k) / 1024 / 1024;
      bias[o] = at(HIDDEN);
    }
  };

  // The number of a home board with more checkers on its 6-point.
  function homeIndex(s, more) {
    let id = 0, t = more;
    for (let j = 0; j < 6; j++) {
      t += s[5 - j];
      id += choose[j + 1][t + j];
    }
    return id;
  }

  // The number of a way to have n checkers outside, those with fewer first.
  function outsideIndex(s, n) {
    let id = 0, j = 0;
    for (let k = 0; k < n; k++) id += choose[k][17 + k];
    for (let p = 0; p < 18; p++) for (let c = s[6 + p]; c > 0; c--, j++) id += choose[j + 1][p + j];
    return id;
  }

  // What the net adds to the moments where checkers are outside the home board.
  const sums = new Int32Array(HIDDEN), added = new Float32Array(5);
  function correct(s) {
    sums.set(thresholds);
    for (let p = 0; p < 24; p++) {
      if (s[p] === 0) continue;
      const at = (p * 16 + s[p]) * HIDDEN;
      for (let k = 0; k < HIDDEN; k++) sums[k] += weights[at + k];
    }
    added.set(bias);
    for (let k = 0; k < HIDDEN; k++) {
      if (sums[k] <= 0) continue;
      const x = f32(sums[k] * sums[k]);
      for (let o = 0; o < 5; o++) added[o] += f32(x * outputs[o * HIDDEN + k]);
    }
  }

  // A side: checkers at home and outside, moments of its rolls, chances to be done.
  const side = () => ({ inside: 0, outside: 0, mean: 0, variance: 0, skew: 0, firstMean: 0, firstVariance: 0,
    all: new Float32Array(HORIZON), first: new Float32Array(HORIZON) });

  const SIXTH = f32(6 / 49), FIFTH = f32(0.2), LEAST = f32(0.01);
  function moments(m, s) {
    let pips = 0;
    m.inside = m.outside = 0;
    for (let i = 0; i < 6; i++) m.inside += s[i];
    for (let i = 6; i < 24; i++) { m.outside += s[i]; pips += (i - 5) * s[i]; }
    const id = homeIndex(s, m.outside), all = m.inside + m.outside === 15;
    m.mean = rolls.getUint16(6 * id, true) / 4096;
    m.variance = rolls.getUint16(6 * id + 2, true) / 16384;
    m.skew = rolls.getInt16(6 * id + 4, true) / 4096;
    m.firstMean = m.firstVariance = 0;
    if (all) {
      const at = FIRST + 4 * (id - FIRST_FIFTEEN);
      m.firstMean = rolls.getUint16(at, true) / 4096;
      m.firstVariance = rolls.getUint16(at + 2, true) / 16384;
    }
    if (m.outside === 0) return;
    const more = f32(pips * SIXTH), spread = f32(more * FIFTH);
    correct(s);
    m.mean = Math.max(f32(f32(m.mean + more) + added[0]), 1);
    m.variance = Math.max(f32(f32(m.variance + spread) + added[1]), LEAST);
    m.skew = f32(m.skew + added[2]);
    if (!all) return;
    m.firstMean = Math.max(f32(f32(m.firstMean + more) + added[3]), 1);
    m.firstVariance = Math.max(f32(f32(m.firstVariance + spread) + added[4]), LEAST);
  }

  // The normal distribution in steps of 1/32 from -4 to 4, and what the first term of
  // Edgeworth's series adds to it for each unit of skewness.
  const normal = new Float32Array(258), third = new Float32Array(258);
  for (let i = 0; i < 258; i++) {
    const z = i / 32 - 4, density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    let term = z, series = z;
    for (let k = 3; k < 200; k += 2) series += term *= z * z / k;
    normal[i] = 0.5 + density * series;
    third[i] = (z * z - 1) * density / 6;
  }

  function edgeworth(z, skew) {
    const t = f32(f32(clamp(z, -4, 4) + 4) * 32), k = Math.floor(t), part = f32(t - k);
    const p = f32(normal[k] + f32(part * f32(normal[k + 1] - normal[k])));
    const more = f32(third[k] + f32(part * f32(third[k + 1] - third[k])));
    return clamp(f32(p + f32(skew * more)), 0, 1);
  }

  // What makes a whole number with these moments standard, and its skewness.
  const TWELFTH = f32(1 / 12), NARROW = f32(0.04);
  const deviations = (variance) => f32(1 / f32(Math.sqrt(Math.max(f32(variance - TWELFTH), NARROW))));
  const skewness = (s, skew) => clamp(f32(f32(f32(skew * s) * s) * s), -1, 1);

  // Chances to be done within 1 to 8 rolls, from the moments.
  function cumulate(to, mean, variance, skew) {
    const s = deviations(variance), bend = skewness(s, skew);
    let last = 0;
    for (let n = 0; n < HORIZON; n++) {
      const z = f32(f32(n + 1.5 - mean) * s);
      if (z > -4) last = Math.max(last, edgeworth(z, -bend));
      to[n] = last;
    }
  }

  const SHARE16 = f32(1 / 65535), SHARE8 = f32(1 / 255);
  function chances(m, s) {
    const id = homeIndex(s, 0);
    let at = -1;
    if (m.outside === 0 && m.inside <= 10) at = 16 * id;
    else if (m.outside === 1 && m.inside <= 5) at = ONE + 16 * ((outsideIndex(s, 1) - 1) * 462 + id);
    else if (m.outside === 2 && m.inside <= 3) at = TWO + 16 * ((outsideIndex(s, 2) - 19) * 84 + id);
    if (at < 0) cumulate(m.all, m.mean, m.variance, m.skew);
    else for (let n = 0; n < HORIZON; n++) m.all[n] = within.getUint16(at + 2 * n, true) * SHARE16;

    if (m.inside + m.outside < 15) m.first.fill(1);
    else if (m.outside === 0) {
      m.first.fill(1);
      m.first[0] = clamp(f32(2 - m.firstMean), 0, 1);
    } else if (m.outside > 4) cumulate(m.first, m.firstMean, m.firstVariance, 0);
    else {
      let held = 0;
      for (let i = 0; i < 6; i++) if (s[i]) held |= 1 << i;
      const way = outsideIndex(s, m.outside);
      const from = way < 190 ? SAFE + (way * 64 + held) * 8 : THREE + ((way - 190) * 32 + (held & 31)) * 8;
      for (let n = 0; n < HORIZON; n++) m.first[n] = within.getUint8(from + n) * SHARE8;
    }
  }

  // The chance that a comes in no more rolls than b, or in fewer, if strict; later is
  // that chance where neither comes within 8.
  function sooner(a, b, strict, later) {
    let p = 0, before = 0, until = 0;
    for (let n = 0; n < HORIZON; n++) {
      if (strict) until = b[n];
      p = f32(p + f32(f32(a[n] - before) * f32(1 - until)));
      before = a[n];
      until = b[n];
    }
    return f32(p + f32(f32(f32(1 - before) * f32(1 - until)) * later));
  }

  // The chance that a difference of rolls is more than nothing, by its moments.
  function chance(x, at, mean, variance, skew, possible) {
    if (!possible) {
      x[at] = x[at + 3] = 0;
      x[at + 1] = x[at + 2] = -1;
      return;
    }
    const s = deviations(variance), z = clamp(f32(mean * s), -4, 4);
    x[at] = edgeworth(z, skewness(s, skew));
    x[at + 1] = z / 4;
    x[at + 2] = clamp(z, -1.5, 1.5) / 1.5;
    x[at + 3] = mean / 8;
  }

  function roots(x, at, chance) {
    const p = clamp(chance, 0, 1);
    x[at] = p;
    x[at + 1] = Math.sqrt(p);
    x[at + 2] = Math.sqrt(f32(1 - p));
  }

  function writeMoments(x, at, m) {
    x[at] = m.mean / 8;
    x[at + 1] = m.variance;
    x[at + 2] = m.skew;
    x[at + 3] = 1 / f32(1 + m.mean);
    x[at + 4] = m.firstMean / 4;
    x[at + 5] = m.firstVariance;
  }

  function writeRolls(x, at, list) { for (let n = 0; n < 6; n++) x[at + n] = list[n]; }

  const m = side(), o = side();
  bgtrain.sets["bgtrain-race"] = { size: 271, encode(b, x) {
    bgtrain.sets["gnubg-race"].encode(b, x);
    moments(m, b.me);
    moments(o, b.opp);
    chances(m, b.me);
    chances(o, b.opp);
    writeMoments(x, 214, o);
    writeMoments(x, 220, m);
    chance(x, 226, f32(f32(o.mean - m.mean) + 0.5), f32(m.variance + o.variance), f32(o.skew - m.skew), true);
    chance(x, 230, f32(f32(o.firstMean - m.mean) + 0.5), f32(m.variance + o.firstVariance), -m.skew, o.firstMean > 0);
    chance(x, 234, f32(f32(m.firstMean - o.mean) - 0.5), f32(o.variance + m.firstVariance), -o.skew, m.firstMean > 0);
    writeRolls(x, 238, o.all);
    writeRolls(x, 244, o.first);
    writeRolls(x, 250, m.all);
    writeRolls(x, 256, m.first);
    roots(x, 262, sooner(m.all, o.all, false, x[226]));
    roots(x, 265, o.firstMean > 0 ? sooner(m.all, o.first, false, x[230]) : 0);
    roots(x, 268, m.firstMean > 0 ? sooner(o.all, m.first, true, x[234]) : 0);
  } };
})();

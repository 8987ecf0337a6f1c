// The inputs of bgtrain-race beyond those of gnubg-race: the rolls that each side
// needs, and the chances that follow. Two tables lie beside this file: rolls.bin
// and within.bin, in the layout of features/rolls.go and features/within.go. All
// arithmetic is rounded to float32, as the tables are where that matters.
const fs = require("fs"), path = require("path");
const f = Math.fround;

const table = (name) => {
  const b = fs.readFileSync(path.join(__dirname, name));
  return new DataView(b.buffer, b.byteOffset, b.length);
};
const rollsTable = table("rolls.bin"), withinTable = table("within.bin");

const sum = (list) => list.reduce((total, n) => total + n, 0);
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
const clamp = (x, lo, hi) => Math.min(Math.max(x, lo), hi);

// choose(n, k) is the number of ways to choose k of n.
function choose(n, k) {
  let c = 1;
  for (let i = 1; i <= k; i++) c = c * (n - k + i) / i;
  return c;
}

// Home boards are numbered by the checkers on the 1, 2, … 6 rearmost points.
const homeIndex = (home) => sum(range(0, 6).map((j) => choose(sum(home.slice(5 - j)) + j, j + 1)));

// Ways to have n checkers outside the home board, those with fewer first.
function outsideIndex(s, n) {
  const places = s.slice(6, 24).flatMap((c, p) => Array(c).fill(p));
  return sum(range(0, n).map((k) => choose(17 + k, k))) + sum(places.map((p, j) => choose(p + j, j + 1)));
}

// Layout of rolls.bin: moments of each home board; of the first checker off of all
// fifteen; a net of 32 hidden units and 5 outputs.
const homes = 54264, firstFifteen = 38760, hidden = 32;
const firstAt = 6 * homes, thresholdAt = firstAt + 4 * (homes - firstFifteen);
const weightAt = thresholdAt + 2 * hidden, outputAt = weightAt + 24 * 16 * 2 * hidden;

// What the net adds to the moments where checkers are outside the home board: a
// hidden unit is the square of a sum, or 0 where that is negative.
function correction(s) {
  const unit = f(1 / 1024);
  const units = range(0, hidden).map((k) => {
    let n = rollsTable.getInt16(thresholdAt + 2 * k, true);
    for (let p = 0; p < 24; p++) {
      if (s[p]) n += rollsTable.getInt16(weightAt + ((p * 16 + s[p]) * hidden + k) * 2, true);
    }
    return f(Math.max(n, 0) ** 2);
  });
  return range(0, 5).map((o) => {
    const weight = (k) => rollsTable.getFloat32(outputAt + 4 * (o * (hidden + 1) + k), true);
    return units.reduce((y, x, k) => f(y + f(x * f(f(weight(k) * unit) * unit))), weight(hidden));
  });
}

// Mean, variance and third moment of the rolls to bear off everything, mean and
// variance of those to the first checker of fifteen.
function moments(s) {
  const home = s.slice(0, 6), outer = s.slice(6, 24), outside = sum(outer);
  const pips = sum(outer.map((c, i) => (i + 1) * c));
  home[5] += outside;
  const id = homeIndex(home), all = sum(home) === 15;
  const m = {
    mean: rollsTable.getUint16(6 * id, true) / 4096,
    variance: rollsTable.getUint16(6 * id + 2, true) / 16384,
    skew: rollsTable.getInt16(6 * id + 4, true) / 4096,
    firstMean: 0, firstVariance: 0,
  };
  if (all) {
    const at = firstAt + 4 * (id - firstFifteen);
    m.firstMean = rollsTable.getUint16(at, true) / 4096;
    m.firstVariance = rollsTable.getUint16(at + 2, true) / 16384;
  }
  if (outside > 0) {
    const more = f(pips * f(6 / 49)), spread = f(more * f(0.2)), y = correction(s);
    m.mean = Math.max(f(f(m.mean + more) + y[0]), 1);
    m.variance = Math.max(f(f(m.variance + spread) + y[1]), f(0.01));
    m.skew = f(m.skew + y[2]);
    if (all) {
      m.firstMean = Math.max(f(f(m.firstMean + more) + y[3]), 1);
      m.firstVariance = Math.max(f(f(m.firstVariance + spread) + y[4]), f(0.01));
    }
  }
  return m;
}

// The normal distribution in steps of 1/32 from -4 to 4, and what the first term
// of Edgeworth's series adds to it for each unit of skewness.
const normal = range(0, 258).map((i) => {
  const z = i / 32 - 4, density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  let term = z, series = z;
  for (let k = 3; k < 200; k += 2) series += term *= z * z / k;
  return { p: f(0.5 + density * series), third: f((z * z - 1) * density / 6) };
});

function edgeworth(z, skew) {
  const t = f(f(clamp(z, -4, 4) + 4) * 32), k = Math.floor(t), part = f(t - k);
  const between = (a, b) => f(a + f(part * f(b - a)));
  const p = between(normal[k].p, normal[k + 1].p), third = between(normal[k].third, normal[k + 1].third);
  return clamp(f(p + f(skew * third)), 0, 1);
}

// What makes a whole number with these moments standard, and its skewness.
function standard(variance, skew) {
  const s = f(1 / f(Math.sqrt(Math.max(f(variance - f(1 / 12)), f(0.04)))));
  return [s, clamp(f(f(f(skew * s) * s) * s), -1, 1)];
}

// Chances to be done within 1 to 8 rolls, from the moments.
function cumulate(mean, variance, skew) {
  const [s, third] = standard(variance, skew);
  let last = 0;
  return range(0, 8).map((n) => {
    const z = f(f(n + 1.5 - mean) * s);
    if (z > -4) last = Math.max(last, edgeworth(z, -third));
    return last;
  });
}

// Layout of within.bin: all off, of up to 10 checkers in the home board, of one
// outside and up to 5, of two outside and up to 3; then the first off, of up to two
// outside, and of three and four.
const oneAt = 16 * 8008, twoAt = oneAt + 16 * 18 * 462, safeAt = twoAt + 16 * 171 * 84;
const threeAt = safeAt + 64 * 8 * 190;

// Chances to have borne off everything, and one checker of fifteen, within 1 to 8
// rolls.
function within(s, m) {
  const home = s.slice(0, 6), inside = sum(home), outside = sum(s.slice(6, 24)), id = homeIndex(home);
  let at = -1;
  if (outside === 0 && inside <= 10) at = 16 * id;
  else if (outside === 1 && inside <= 5) at = oneAt + 16 * ((outsideIndex(s, 1) - 1) * 462 + id);
  else if (outside === 2 && inside <= 3) at = twoAt + 16 * ((outsideIndex(s, 2) - 19) * 84 + id);
  const all = at < 0 ? cumulate(m.mean, m.variance, m.skew)
    : range(0, 8).map((n) => f(withinTable.getUint16(at + 2 * n, true) * f(1 / 65535)));

  if (inside + outside < 15) return { all, first: Array(8).fill(1) };
  if (outside === 0) return { all, first: [clamp(f(2 - m.firstMean), 0, 1), ...Array(7).fill(1)] };
  if (outside > 4) return { all, first: cumulate(m.firstMean, m.firstVariance, 0) };
  const held = sum(home.map((n, i) => (n > 0 ? 1 << i : 0))), way = outsideIndex(s, outside);
  const from = way < 190 ? safeAt + (way * 64 + held) * 8 : threeAt + ((way - 190) * 32 + (held & 31)) * 8;
  return { all, first: range(0, 8).map((n) => f(withinTable.getUint8(from + n) * f(1 / 255))) };
}

// The chance that a comes in no more rolls than b, or in fewer, if strict; later is
// that chance where neither comes within 8.
function sooner(a, b, strict, later) {
  let p = 0, before = 0, until = 0;
  a.forEach((value, n) => {
    if (strict) until = b[n];
    p = f(p + f(f(value - before) * f(1 - until)));
    before = value;
    until = b[n];
  });
  return f(p + f(f(f(1 - before) * f(1 - until)) * later));
}

// The chance that a difference of rolls is more than nothing, by its moments.
function chance(mean, variance, skew, possible) {
  if (!possible) return [0, -1, -1, 0];
  const [s, third] = standard(variance, skew);
  const z = clamp(f(mean * s), -4, 4);
  return [edgeworth(z, third), z / 4, f(clamp(z, -1.5, 1.5) / 1.5), mean / 8];
}

function roots(chance) {
  const p = clamp(chance, 0, 1);
  return [p, f(Math.sqrt(p)), f(Math.sqrt(f(1 - p)))];
}

const side = (m) => [m.mean / 8, m.variance, m.skew, f(1 / f(1 + m.mean)), m.firstMean / 4, m.firstVariance];

// encode returns all inputs of bgtrain-race, given those of gnubg-race.
function encode({ me, opp }, points) {
  const m = moments(me), o = moments(opp), mine = within(me, m), his = within(opp, o);
  const chances = [
    chance(f(f(o.mean - m.mean) + 0.5), f(m.variance + o.variance), f(o.skew - m.skew), true),
    chance(f(f(o.firstMean - m.mean) + 0.5), f(m.variance + o.firstVariance), -m.skew, o.firstMean > 0),
    chance(f(f(m.firstMean - o.mean) - 0.5), f(o.variance + m.firstVariance), -o.skew, m.firstMean > 0),
  ];
  const gammon = o.firstMean > 0 ? sooner(mine.all, his.first, false, chances[1][0]) : 0;
  const lost = m.firstMean > 0 ? sooner(his.all, mine.first, true, chances[2][0]) : 0;
  return [
    ...points, ...side(o), ...side(m), ...chances.flat(),
    ...[his.all, his.first, mine.all, mine.first].flatMap((w) => w.slice(0, 6)),
    ...roots(sooner(mine.all, his.all, false, chances[0][0])), ...roots(gammon), ...roots(lost),
  ];
}

module.exports = { encode };

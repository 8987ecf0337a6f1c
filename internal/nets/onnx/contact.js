// The rolls of bgtrain-contact: with which a side s hits on each of its points, and
// with which it makes them. All is in the numbering of that side; point i of the
// other side is 23 - i.
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
const f = Math.fround;
const points = range(0, 24);

// The ways to begin a roll: where checkers enter from the bar, the numbers left to be
// played after that, and how many of these each checker needs to come to each point.
function begin(s, opp, a, b) {
  const bar = s[24], numbers = a === b ? [a, a, a, a] : [a, b];
  // One checker on the bar enters with either number.
  const orders = bar === 1 && a !== b ? [[a, b], [b, a]] : [numbers];
  return orders.map((order) => {
    const entered = order.slice(0, bar).filter((d) => opp[d - 1] < 2).map((d) => 24 - d);
    const left = entered.length < bar ? [] : order.slice(bar);
    return { entered, left, need: points.map((i) => needs(i, left, opp)) };
  });
}

// How many of the numbers left a checker on i needs to come to each point, undefined
// where it cannot.
function needs(i, left, opp) {
  const list = Array(24);
  list[i] = 0;
  for (const order of [left, [...left].reverse()]) {
    let at = i;
    for (const [n, d] of order.entries()) {
      at -= d;
      if (at < 0 || opp[23 - at] >= 2) break;
      list[at] = n + 1;
    }
  }
  return list;
}

// Whether s, with one of the ways to begin a roll, hits on point p or makes it.
function effect(s, opp, { entered, left, need }, double, p) {
  const come = (places) => places.map((i) => need[i][p]).filter((n) => n !== undefined);
  const others = points.filter((i) => s[i] > 0 && i !== p);
  const spare = others.filter((i) => s[i] !== 2); // such a place spares one checker
  const hits = opp[23 - p] === 1 && come([...others, ...entered]).length > 0;
  if (s[p] > 1) return { hits, makes: false };
  if (s[p] === 1) return { hits, makes: come([...spare, ...entered]).length > 0 };
  // Two have to come: of those that enter, which are not to go on, or from two
  // places, or, by a double, both from one place.
  const two = come([...spare, ...entered.filter((i) => i === p)]).sort((m, n) => m - n);
  const pair = double && come(others.filter((i) => s[i] > 1)).some((n) => 2 * n <= left.length);
  return { hits, makes: pair || (two.length > 1 && two[0] + two[1] <= left.length) };
}

// encode returns, for each of the 24 points, the rolls that hit there, then those that
// make it.
function encode(s, opp) {
  const hits = Array(24).fill(0), makes = Array(24).fill(0);
  for (const a of range(1, 7)) {
    for (const b of range(1, a + 1)) {
      const weight = a === b ? 1 : 2;
      const ways = begin(s, opp, a, b);
      for (const p of points) {
        const effects = ways.map((way) => effect(s, opp, way, a === b, p));
        if (effects.some((e) => e.hits)) hits[p] += weight;
        if (effects.some((e) => e.makes)) makes[p] += weight;
      }
    }
  }
  return [...hits, ...makes].map((n) => f(n / 12));
}

module.exports = { encode };

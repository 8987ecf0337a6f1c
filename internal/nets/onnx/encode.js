// A plain encoder, to port: from a Position ID to the class, which decides the
// net, and to the inputs of the sets tesauro, gnubg-prune, gnubg-race,
// gnubg-contact, gnubg-crashed, bgtrain-race and bgtrain-contact. It says what the
// inputs are, not how to compute them fast. Node.js runs it:
//
//   const { decode, classify, sets } = require("./encode.js");
//   const board = decode("4HPwATDgc/ABMA");    // seen by the player on roll
//   const role = classify(board);              // "contact"
//   const inputs = sets["gnubg-contact"](board);
//
// The numbers are those of the fixtures to the last bit of float32.
//
// A side is 25 counts of checkers: its own 1-point to 24-point, then its bar.

// Position ID: 80 bits, lowest first, the player not on roll, then the one on
// roll: for each of 25 points a 1 for each checker, then a 0.
function decode(id) {
  const bytes = Buffer.from(id, "base64");
  let at = 0;
  const side = () => Array.from({ length: 25 }, () => {
    let n = 0;
    while ((bytes[at >> 3] >> (at & 7)) & 1) { n++; at++; }
    at++;
    return n;
  });
  const opp = side();
  return { opp, me: side() };
}

const sum = (list) => list.reduce((total, n) => total + n, 0);
const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
const count = (list, test) => list.filter(test).length;
const f = Math.fround;
const over = (n, d) => f(n * f(1 / d)); // n / d, rounded as GNU Backgammon's compiler has it
const rear = (s) => s.findLastIndex((n) => n > 0); // -1 without any

function classify({ me, opp }) {
  if (rear(me) < 0 || rear(opp) < 0) return "over";
  if (rear(me) + rear(opp) <= 22) return "race";
  const crashed = (s) => sum(s) - (s[0] > 1 ? s[0] : 0) - Math.max(s[1] - 1, 0) <= 6;
  return crashed(me) || crashed(opp) ? "crashed" : "contact";
}

// Checkers on the points.

const above = (n, k) => (n > k ? (n - k) / 2 : 0);
const off = (s) => 15 - sum(s);
const exactly = (n) => [+(n === 1), +(n === 2), +(n >= 3), above(n, 3)];
const atLeast = (n) => [+(n >= 1), +(n >= 2), +(n >= 3), above(n, 3)];

function tesauroSide(s) {
  return [...s.slice(0, 24).flatMap(atLeast), s[24] / 2, f(off(s) / 15)];
}

function pruneSide(s) {
  return [...s.slice(0, 24).flatMap(exactly), ...atLeast(s[24])];
}

function raceSide(s) {
  const offs = range(1, 15).map((n) => +(off(s) === n));
  const crossovers = sum(range(6, 24).map((i) => s[i] * Math.floor(i / 6)));
  return [...s.slice(0, 23).flatMap(exactly), ...offs, over(crossovers, 10)];
}

// The measures of contact, in the numbering of the side that they are of; point i
// of the other side is 23 - i.

const dice = range(1, 7);
const rolls = dice.flatMap((a) => dice.map((b) => [Math.min(a, b), Math.max(a, b)])); // all 36

// Rolls with which the other side's checker on its own point i escapes from s, and
// beyond the nearest point that s holds, if asked.
function escapes(s, i, beyond) {
  const held = (pips) => i >= 0 && i - pips >= 0 && s[23 - i + pips] >= 2;
  const nearest = beyond ? range(1, 13).find(held) : 0;
  if (nearest === undefined) return 0;
  return count(rolls, ([a, b]) => a + b > nearest && !held(a + b) && !(held(a) && held(b)));
}

// The ways to play a roll: the pips, and the places touched before the last; of
// two dice one of them has to be open, of a double all.
function ways([lo, hi]) {
  if (lo !== hi) return [[lo, []], [hi, []], [lo + hi, [lo, hi]]];
  return range(1, 5).map((k) => [k * lo, range(1, k).map((j) => j * lo)]);
}

// The places, rearmost first, from which one way to play a roll hits.
function shots(s, opp, [pips, touched], double) {
  const home = count(s.slice(0, 6), (n) => n > 0);
  return range(pips, 25).reverse().filter((i) => {
    const to = i - pips;
    const blocked = count(touched, (t) => opp[23 - i + t] >= 2);
    if (s[i] === 0 || (i < 6 && s[i] === 2) || opp[23 - to] !== 1) return false;
    if (to < 2 && home <= 2) return false;
    return blocked === 0 || (!double && blocked < touched.length);
  });
}

// The most pips that a roll takes from the other side, and how many checkers it
// hits, by GNU Backgammon's count.
function hit(s, opp, roll) {
  const double = roll[0] === roll[1], all = ways(roll);
  let pips = 0, checkers = 0, last = -1, entered = false;
  all.forEach((way, k) => {
    const [length, touched] = way, direct = touched.length === 0;
    const from = shots(s, opp, way, double);
    if (s[24] > 0) { // with a checker on the bar, which enters first
      for (const i of from) {
        if (i === 24 && direct) checkers++;
        else if (s[24] > 1) continue;
        else if (i === 24) {
          checkers = Math.max(checkers, 1);
          if (touched.some((t) => opp[t + 1] === 1)) checkers++; // one pip off, but so it is
        } else {
          if (!direct || entered || opp[all[1 - k][0] - 1] >= 2) continue;
          entered = true;
          checkers++;
        }
        pips = Math.max(pips, i - length + 1);
      }
      return;
    }
    if (from.length === 0) return;
    const [back] = from;
    pips = Math.max(pips, back - length + 1);
    if (direct) {
      if (back !== last || s[back] > 1) checkers++;
      last = back;
      if (double && from.length > 1) checkers++;
    } else {
      checkers = Math.max(checkers, 1);
      if (touched.some((t) => opp[23 - back + t] === 1)) checkers++;
    }
  });
  return { pips, checkers };
}

// Second moment of the checkers behind the mean, all rounded up.
function moment(s) {
  if (sum(s) === 0) return 0;
  const mean = Math.ceil(sum(s.map((n, i) => n * i)) / sum(s));
  const behind = range(mean + 1, 25);
  const n = sum(behind.map((i) => s[i]));
  return n && Math.ceil(sum(behind.map((i) => s[i] * (i - mean) ** 2)) / n);
}

// Pips lost on the bar over the 36 rolls.
function entering(s, opp) {
  const out = (d) => opp[d - 1] >= 2;
  return sum(rolls.map(([a, b]) => {
    if (s[24] === 0) return 0;
    if (a === b) return out(a) ? 4 * a : 0;
    if (out(a) && out(b)) return a + b;
    if (s[24] === 1) return 0;
    return out(a) ? a : out(b) ? b : 0;
  }));
}

// Pips to be played before the home board breaks.
function timing(s, front) {
  let spare = 0, pips = 0;
  for (const i of range(6, 25)) {
    const stays = i < 24 && i > Math.max(front, 11) && s[i] >= 2 ? 2 : 0;
    spare += s[i] - stays;
    pips += i * (s[i] - stays);
  }
  for (const i of [5, 4, 3, 2, 1, 0]) {
    const n = s[i] - 2;
    if (n < 0 && spare < -n) continue;
    spare += n;
    pips += i * n;
  }
  return pips;
}

// How near the held points lie to the rearmost.
function backbone(s) {
  const held = range(1, 24).filter((i) => s[i] >= 2), back = held.pop();
  if (held.length === 0) return 0;
  const weight = (d) => (d <= 6 ? 11 : d <= 11 ? 13 - d : 0);
  const weights = sum(held.map((i) => weight(back - i)));
  return f(1 - f(over(weights * s[back], 11) / (held.length * s[back])));
}

function measures(s, opp, offs) {
  const front = 23 - rear(opp); // the other side's rearmost checker
  const places = range(0, 25), held = range(0, 24).filter((i) => s[i] >= 2);
  const anchor = held.find((i) => i >= 18) ?? held.findLast((i) => i >= 12) ?? 12;
  const hits = rolls.map((r) => hit(s, opp, r));
  const fewest = (to) => 36 - Math.min(36, ...range(15, to).map((i) => escapes(s, i)));
  const back = over(fewest(rear(opp) + 1), 36), all = over(fewest(24), 36);
  const open = 6 - count(opp.slice(0, 6), (n) => n >= 2);
  const anchors = count(held, (i) => i >= 18), behind = sum(s.slice(18));
  return [
    ...offs,
    over(sum(places.map((i) => (i > front ? (i + 1 - front) * s[i] : 0))), 167),
    over(rear(s), 24),
    over(held.at(-1) ?? -1, 24),
    over(24 - anchor, 6),
    over(sum(hits.map((h) => h.pips)), 432),
    over(count(hits, (h) => h.checkers > 0), 36),
    over(count(hits, (h) => h.checkers > 1), 36),
    over(escapes(s, rear(opp)), 36),
    back, f(back * back), all, f(all * all),
    over(sum(range(6, 25).map((i) => (i - 5) * s[i] * escapes(opp, i))), 3600),
    over(moment(s), 400),
    over(entering(s, opp), 294),
    over(36 - open * open, 36),
    over(timing(s, front), 100),
    backbone(s),
    anchors > 1 ? (behind - 3) / 4 : 0,
    anchors === 1 ? behind / 8 : 0,
    over(sum(places.map((i) => (i < front ? (i + 1) * s[i] : 0))), 100),
    over(escapes(s, rear(opp), true), 36),
  ];
}

// Checkers off as three inputs, each for a stretch of unit of them.
function offInputs(n, unit, first) {
  const stretch = Math.min(Math.floor(Math.max(0, n - first) / unit), 2);
  return [0, 1, 2].map((k) => (k < stretch ? 1 : k > stretch ? 0 : over(n - stretch * unit, unit)));
}

const contactOff = (n) => offInputs(n, 3, 0);
const crashedOff = (n) => offInputs(n, 5, 1);

// What bgtrain-contact has of a side beyond gnubg-contact.
function rollsSide(s, opp) {
  const escaping = range(6, 25).map((i) => (s[i] > 0 ? f(escapes(opp, i) / 12) : 0));
  return [...require("./contact.js").encode(s, opp), ...escaping];
}

const sets = {
  tesauro: ({ me, opp }) => [...tesauroSide(me), ...tesauroSide(opp)],
  "gnubg-prune": ({ me, opp }) => [...pruneSide(opp), ...pruneSide(me)],
  "gnubg-race": ({ me, opp }) => [...raceSide(opp), ...raceSide(me)],
  // A side's block has the other's checkers off: so GNU Backgammon trained this net.
  "gnubg-contact": ({ me, opp }) => [...pruneSide(opp), ...pruneSide(me),
    ...measures(me, opp, contactOff(off(opp))), ...measures(opp, me, contactOff(off(me)))],
  "gnubg-crashed": ({ me, opp }) => [...pruneSide(opp), ...pruneSide(me),
    ...measures(me, opp, crashedOff(off(me))), ...measures(opp, me, crashedOff(off(opp)))],
  "bgtrain-race": (board) => require("./race.js").encode(board, sets["gnubg-race"](board)),
  "bgtrain-contact": (board) => [...sets["gnubg-contact"](board),
    ...rollsSide(board.me, board.opp), ...rollsSide(board.opp, board.me)],
};

module.exports = { decode, classify, sets };

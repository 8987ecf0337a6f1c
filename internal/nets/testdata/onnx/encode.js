// A plain encoder of the input sets tesauro, gnubg-prune and gnubg-race, to port.
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

const above = (n, k) => (n > k ? (n - k) / 2 : 0);
const off = (s) => 15 - s.reduce((sum, n) => sum + n, 0);
const exactly = (n) => [+(n === 1), +(n === 2), +(n >= 3), above(n, 3)];
const atLeast = (n) => [+(n >= 1), +(n >= 2), +(n >= 3), above(n, 3)];

function tesauroSide(s) {
  return [...s.slice(0, 24).flatMap(atLeast), s[24] / 2, off(s) / 15];
}

function pruneSide(s) {
  return [...s.slice(0, 24).flatMap(exactly), ...atLeast(s[24])];
}

function raceSide(s) {
  const offs = Array.from({ length: 14 }, (_, i) => +(off(s) === i + 1));
  let crossovers = 0;
  for (let i = 6; i < 24; i++) crossovers += s[i] * Math.floor(i / 6);
  return [...s.slice(0, 23).flatMap(exactly), ...offs, crossovers / 10];
}

module.exports = {
  decode,
  sets: {
    tesauro: ({ me, opp }) => [...tesauroSide(me), ...tesauroSide(opp)],
    "gnubg-prune": ({ me, opp }) => [...pruneSide(opp), ...pruneSide(me)],
    "gnubg-race": ({ me, opp }) => [...raceSide(opp), ...raceSide(me)],
  },
};

"use strict";
// A position with cube, score and dice, as the board page holds it, and its XGID.
(() => {
  const { start, encode, decode } = bgtrain;

  bgtrain.newState = () => ({ position: start(), dice: [0, 0], cube: 1, owner: "none", away: [0, 0], crawford: false,
    jacoby: false });

  // What the server says of an ID.
  bgtrain.stateOf = (p) => ({ position: decode(p.position), dice: p.dice, cube: p.cube, owner: p.owner, away: p.away,
    crawford: p.crawford, jacoby: p.jacoby });

  // The XGID of a state: light is at the bottom and on roll.
  bgtrain.xgid = (s) => {
    const letter = (n, first) => (n ? String.fromCharCode(first.charCodeAt(0) + n - 1) : "-");
    let board = letter(s.position.opp[24], "a");
    for (let i = 0; i < 24; i++) {
      const own = s.position.me[i];
      board += own ? letter(own, "A") : letter(s.position.opp[23 - i], "a");
    }
    board += letter(s.position.me[24], "A");
    const length = Math.max(...s.away), owner = { none: 0, me: 1, opponent: -1 }[s.owner];
    const rule = length ? Number(s.crawford) : Number(s.jacoby);
    const score = length ? s.away.map((a) => length - a) : [0, 0];
    return `XGID=${board}:${Math.log2(s.cube)}:${owner}:1:${s.dice.join("")}:${score.join(":")}:${rule}:${length}:10`;
  };

  // The same seen by the other side, who is then on roll.
  bgtrain.turned = (s) => ({ ...s, position: { me: s.position.opp, opp: s.position.me }, away: [s.away[1], s.away[0]],
    owner: { none: "none", me: "opponent", opponent: "me" }[s.owner], dice: [0, 0] });

  // After a play: the opponent is on roll.
  bgtrain.played = (s, id) => ({ ...bgtrain.turned(s), position: decode(id) });

  // Whether the cube counts for more than its usual place at the start of a game for money.
  bgtrain.special = (s) => s.away[0] > 0 || s.cube > 1 || s.jacoby;

  // Where a side stands, in words.
  bgtrain.standing = (s, side) => (s.away[0] === 0 ? "money" : s.crawford ? `needs ${s.away[side]}, Crawford` :
    `needs ${s.away[side]}`);
  bgtrain.pips = bgtrain.pips ?? ((side) => side.reduce((sum, n, i) => sum + (i + 1) * n, 0));
  bgtrain.sameID = (a, b) => encode(a) === encode(b);
})();

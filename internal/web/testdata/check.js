// What the tests ask a folder: its outputs, with WebAssembly and in plain JavaScript, its
// legal plays and its look-ahead, compared with what a fixture has.
async function checkFolder(fixture) {
  const fast = await bgtrain.load(false), plain = await bgtrain.load(true);
  const got = { simd: fast.simd, positions: 0, raw: 0, outputs: 0, where: "", twin: 0, plays: 0, ids: 0, ahead: 0 };
  const fnv = (text) => {
    let h = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    return h >>> 0;
  };
  const a = [0, 0, 0, 0, 0], b = [0, 0, 0, 0, 0];
  for (const p of fixture.positions) {
    const board = bgtrain.decode(p.id), role = bgtrain.classify(board);
    got.positions++;
    if (bgtrain.encode(board) !== p.id) got.ids++;
    fast.net(role, board, a);
    for (let k = 0; k < 5; k++) {
      const off = Math.abs(a[k] - p.raw[k]);
      if (!(off <= got.raw)) { got.raw = off; got.where = p.id; }
    }
    if (got.positions % 8 === 0) { // plain JavaScript takes its time
      plain.net(role, board, b);
      for (let k = 0; k < 5; k++) if (a[k] !== b[k]) got.twin++;
    }
    if (p.outputs) {
      fast.evaluate(board, a);
      // A gammon of one in ten thousand counts or does not, by the last bit.
      const off = Math.max(...a.map((v, k) => (Math.abs(p.raw[k] - 1e-4) < 1e-6 ? 0 : Math.abs(v - p.outputs[k]))));
      if (!(off <= got.outputs)) got.outputs = off;
    }
    const ids = bgtrain.plays(board, p.dice[0], p.dice[1]).map(bgtrain.encode).sort().join(" ");
    if (fnv(ids) !== p.plays) { got.plays++; got.where = `${p.id} ${p.dice}`; }
    if (p.ahead !== undefined) {
      fast.evaluate(board, a, 1);
      const off = Math.abs(bgtrain.equity(a) - p.ahead);
      if (!(off <= got.ahead)) got.ahead = off;
    }
  }
  return got;
}

// Evaluations a second, encoding and all, of the fixture's positions.
async function measureFolder(fixture, plain) {
  const player = await bgtrain.load(plain), boards = fixture.positions.map((p) => bgtrain.decode(p.id));
  const out = [0, 0, 0, 0, 0], result = {};
  for (const role of ["contact", "crashed", "race"]) {
    const own = boards.filter((b) => bgtrain.classify(b) === role);
    for (const b of own) player.evaluate(b, out);
    const begin = performance.now();
    let n = 0;
    do {
      for (const b of own) player.evaluate(b, out);
      n += own.length;
    } while (performance.now() - begin < 1000);
    result[role] = Math.round(1000 * n / (performance.now() - begin));
  }
  return result;
}

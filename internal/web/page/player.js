"use strict";
// A player: nets with their inputs, the values of positions, look-ahead. What it does
// is what bgtrain does with the same nets, 16-bit weights and no bearoff database.
(() => {
  const { classify, plays, rear, onBoard, rolls } = bgtrain;
  const WIN = 0, WIN_GAMMON = 1, WIN_BACKGAMMON = 2, LOSE_GAMMON = 3, LOSE_BACKGAMMON = 4;
  const fours = (n) => (n + 3) & ~3;

  // The numbers of a net: for each layer the scale of each unit, its bias, both float32,
  // and 16-bit weights, all units of the first input first. A weight is its integer
  // times the unit's scale.
  class Net {
    constructor(about, data) {
      this.set = bgtrain.sets[about.inputs];
      if (!this.set || this.set.size !== about.layers[0].in) throw new Error(`unknown inputs ${about.inputs}`);
      this.layers = about.layers;
      this.data = data;
    }

    // bytes is the memory that it needs, besides what machines share.
    bytes() {
      return this.layers.reduce((sum, l) => sum + 4 * (fours(l.in) + 1) * fours(l.out) + 16, 0);
    }

    // place expands the weights to float32 in a machine's memory, from address at on.
    place(machine, at) {
      const floats = new Float32Array(machine.buffer);
      const view = new DataView(this.data.buffer, this.data.byteOffset, this.data.length);
      let from = 0;
      this.layers = this.layers.map((l, k) => {
        const last = k === this.layers.length - 1, width = fours(l.out), depth = fours(l.in);
        const layer = { ...l, last, width, depth, weights: at, bias: at + 4 * depth * width };
        at = layer.bias + 4 * width;
        const scales = Array.from({ length: l.out }, (_, u) => view.getFloat32(from + 4 * u, true));
        for (let u = 0; u < l.out; u++) floats[layer.bias / 4 + u] = view.getFloat32(from + 4 * (l.out + u), true);
        from += 8 * l.out;
        for (let i = 0; i < l.in; i++) {
          for (let u = 0; u < l.out; u++, from += 2) {
            const to = last ? u * depth + i : i * width + u; // a last layer has a row an output
            floats[layer.weights / 4 + to] = view.getInt16(from, true) * scales[u];
          }
        }
        return layer;
      });
      this.data = null;
      return at;
    }
  }

  const kernelOf = { "sigmoid": "sigmoid", "sigmoid-gnubg": "gnubg", "relu": "relu", "tanh": "tanh",
    "squared-relu": "squaredReLU" };

  class Player {
    // about is what bgtrain wrote about the player, data the bytes of its nets by role,
    // wasm the kernels' module. plain keeps it from using WebAssembly.
    constructor(about, data, wasm, plain) {
      this.about = about;
      this.nets = {};
      let widest = 0, bytes = 0;
      for (const [role, n] of Object.entries(about.nets)) {
        const net = this.nets[role] = new Net(n, data[role]);
        bytes += net.bytes();
        widest = Math.max(widest, ...net.layers.map((l) => Math.max(fours(l.in), fours(l.out))));
      }
      const tangents = Float32Array.from(about.tangents), vector = 4 * widest;
      bytes += 3 * vector + 4 * tangents.length;
      const machine = bgtrain.machine(wasm, bytes, { exp: Float32Array.from(about.exp) }, plain);
      this.machine = machine;
      this.simd = machine.simd;
      this.list = 2 * vector;
      this.vectors = [0, vector];
      this.tangents = 3 * vector;
      new Float32Array(machine.buffer).set(tangents, this.tangents / 4);
      let at = this.tangents + 4 * tangents.length;
      for (const net of Object.values(this.nets)) at = net.place(machine, at);
      this.inputs = {};
      for (const net of Object.values(this.nets)) {
        this.inputs[net.set.size] = new Float32Array(machine.buffer, 0, fours(net.set.size));
      }
      this.results = this.vectors.map((v) => new Float32Array(machine.buffer, v, 5));
      this.evaluations = 0;
    }

    // Writes what the net of a role makes of a position to out.
    net(role, board, out) {
      const net = this.nets[role], { kernels } = this.machine, x = this.inputs[net.set.size];
      for (let i = net.set.size; i < x.length; i++) x[i] = 0;
      net.set.encode(board, x);
      let from = 0;
      for (const l of net.layers) {
        const a = this.vectors[from], b = this.vectors[1 - from];
        if (l.last) {
          kernels.dot(a, l.depth, l.weights, l.bias, l.out, b);
        } else {
          const count = kernels.list(a, l.in, this.list);
          kernels.sums(this.list, count, a, l.weights, 4 * l.width, l.bias, b);
        }
        const name = kernelOf[l.activation];
        kernels[name === "gnubg" && !l.last ? "gnubgHidden" : name](b, l.width, l.beta, this.tangents);
        from = 1 - from;
      }
      const y = this.results[from];
      for (let k = 0; k < 5; k++) out[k] = y[k];
      this.evaluations++;
    }

    // Writes the outputs of the player on roll at a ply of 0, 1 or 2 to out.
    evaluate(board, out, ply = 0) {
      const role = classify(board);
      if (role === "over") over(board, out);
      else if (ply === 0) {
        this.net(role, board, out);
        makeConsistent(board, out);
      } else this.ahead(board, out, ply);
    }

    // The mean over all rolls of what the best play at 0-ply gives.
    ahead(board, out, ply) {
      const sum = [0, 0, 0, 0, 0], one = [0, 0, 0, 0, 0];
      for (const [hi, lo, weight] of rolls) {
        const best = this.best(board, hi, lo, one);
        if (ply > 1) this.evaluate(best, one, ply - 1);
        for (let k = 0; k < 5; k++) sum[k] += weight * one[k];
      }
      for (let k = 0; k < 5; k++) one[k] = sum[k] / 36;
      invert(one, out);
    }

    // The result of the best play of a roll at 0-ply, the opponent on roll; its outputs
    // go to out.
    best(board, hi, lo, out) {
      const all = plays(board, hi, lo), one = [0, 0, 0, 0, 0];
      let best = all[0], least = 4;
      for (const p of all) {
        this.evaluate(p, one);
        const e = equity(one);
        if (e >= least) continue;
        least = e;
        best = p;
        for (let k = 0; k < 5; k++) out[k] = one[k];
      }
      return best;
    }

    // The plays of a roll, best first, each with its outputs and equity as the player
    // who makes it sees them: all at 0-ply, the best eight within 0.16 at ply.
    rank(board, d1, d2, ply) {
      const all = plays(board, d1, d2);
      const value = (p, at) => {
        const o = [0, 0, 0, 0, 0];
        this.evaluate(p, o, at);
        p.outputs = invert(o, [0, 0, 0, 0, 0]);
        p.equity = equity(p.outputs);
        p.ply = at;
      };
      for (const p of all) value(p, 0);
      const sort = () => all.sort((a, b) => b.ply - a.ply || b.equity - a.equity);
      sort();
      if (ply > 0 && all.length > 1) {
        const least = all[0].equity - 0.16;
        for (const p of all.slice(0, 8)) if (p.equity >= least) value(p, ply);
        sort();
      }
      return all;
    }
  }

  const equity = (o) => 2 * o[0] - 1 + o[1] + o[2] - o[3] - o[4];

  function invert(o, to) {
    const [win, winGammon, winBackgammon, loseGammon, loseBackgammon] = o;
    to[0] = 1 - win;
    to[1] = loseGammon;
    to[2] = loseBackgammon;
    to[3] = winGammon;
    to[4] = winBackgammon;
    return to;
  }

  // A finished game.
  function over(board, out) {
    const points = (s) => (onBoard(s) < 15 ? [0, 0] : rear(s) >= 18 ? [1, 1] : [1, 0]);
    out.fill(0);
    if (rear(board.me) < 0) {
      out[WIN] = 1;
      [out[WIN_GAMMON], out[WIN_BACKGAMMON]] = points(board.opp);
    } else [out[LOSE_GAMMON], out[LOSE_BACKGAMMON]] = points(board.me);
  }

  // Corrects outputs as GNU Backgammon does: what is certain or impossible, gammons
  // within wins, backgammons within gammons, and no gammons below one in ten thousand
  // while there is contact.
  function makeConsistent(board, out) {
    const contact = rear(board.me) + rear(board.opp) >= 24;
    if (contact) {
      if (onBoard(board.opp) < 15) out[WIN_GAMMON] = out[WIN_BACKGAMMON] = 0;
      if (onBoard(board.me) < 15) out[LOSE_GAMMON] = out[LOSE_BACKGAMMON] = 0;
    } else certainties(board, out);
    out[WIN_GAMMON] = Math.min(out[WIN_GAMMON], out[WIN]);
    out[LOSE_GAMMON] = Math.min(out[LOSE_GAMMON], 1 - out[WIN]);
    out[WIN_BACKGAMMON] = Math.min(out[WIN_BACKGAMMON], out[WIN_GAMMON]);
    out[LOSE_BACKGAMMON] = Math.min(out[LOSE_BACKGAMMON], out[LOSE_GAMMON]);
    if (contact) for (let k = 1; k < 5; k++) if (out[k] < 1e-4) out[k] = 0;
  }

  // The crossovers that a side of a race has to make.
  function crossovers(s) {
    const c = { checkers: 0, toBearOff: 0, toSaveGammon: 1, back: rear(s) };
    for (let i = 0; i < 25; i++) {
      const quadrant = Math.floor(i / 6);
      c.checkers += s[i];
      c.toBearOff += (quadrant + 1) * s[i];
      c.toSaveGammon += quadrant * s[i];
    }
    return c;
  }

  // What a race makes certain or impossible: a roll brings four crossovers at most.
  function certainties(board, out) {
    const me = crossovers(board.me), opp = crossovers(board.opp);
    const mine = Math.max(2 * me.toBearOff, 1), his = 2 * opp.toBearOff; // no more rolls than that
    if (opp.toBearOff > 4 * (mine - 1)) out[WIN] = 1;
    if (opp.checkers < 15) out[WIN_GAMMON] = out[WIN_BACKGAMMON] = 0;
    else {
      if (me.toBearOff > 8 * opp.toSaveGammon) out[WIN_GAMMON] = 0;
      else if (opp.toSaveGammon > 4 * (mine - 1)) out[WIN_GAMMON] = 1;
      if (opp.back < 18) out[WIN_BACKGAMMON] = 0;
    }
    if (me.toBearOff > 4 * his) out[WIN] = 0;
    if (me.checkers < 15) out[LOSE_GAMMON] = out[LOSE_BACKGAMMON] = 0;
    else {
      if (opp.toBearOff > 8 * me.toSaveGammon - 4) out[LOSE_GAMMON] = 0;
      else if (me.toSaveGammon > 4 * his) out[LOSE_GAMMON] = 1;
      if (me.back < 18) out[LOSE_BACKGAMMON] = 0;
    }
  }

  // Reading of what bgtrain wrote: base64 of gzip.
  const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  async function unpack(text) {
    if (typeof DecompressionStream === "undefined") throw new Error("this browser has no DecompressionStream");
    const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Makes the player that net.js and tables.js hold. plain keeps it from using WebAssembly.
  bgtrain.load = async (plain) => {
    const { about, data, wasm } = bgtrain.files;
    if (bgtrain.tables["rolls.bin"]) {
      bgtrain.setRaceTables(await unpack(bgtrain.tables["rolls.bin"]), await unpack(bgtrain.tables["within.bin"]));
    }
    const nets = {};
    for (const role of Object.keys(data)) nets[role] = await unpack(data[role]);
    return new Player(about, nets, bytesOf(wasm), plain);
  };
  Object.assign(bgtrain, { equity, invert });
})();

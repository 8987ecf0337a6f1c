"use strict";
// The page: a game against the player. The position is always as the person counts, me
// being the person.
(() => {
  const { start, swapped, steps, move, notation, encode, decode, classify, draw, equity, invert } = bgtrain;
  const $ = (id) => document.getElementById(id);
  const copy = (b) => ({ me: b.me.slice(), opp: b.opp.slice() });
  const plain = (x, digits = 3) => (x < 0 ? "−" : "+") + Math.abs(x).toFixed(digits);
  const percent = (p) => (100 * p).toFixed(1) + " %";

  let player = null;
  const score = { you: 0, net: 0 };
  // phase: "roll", "move" (the person's), "wait" (the net's), "over".
  const game = { phase: "wait", position: start(), before: null, dice: [], left: [], made: [], past: [], chosen: null,
    own: true, last: [] };

  // A die that no one can foresee, without a bias. Tests put their own here.
  bgtrain.die = () => {
    const byte = new Uint8Array(1);
    do crypto.getRandomValues(byte); while (byte[0] >= 252);
    return byte[0] % 6 + 1;
  };
  const roll = () => [bgtrain.die(), bgtrain.die()];
  const all = (dice) => (dice[0] === dice[1] ? Array(4).fill(dice[0]) : [...dice].sort((a, b) => b - a));
  const ply = () => Number($("ply").value);
  const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

  function status(text) { $("status").textContent = text; }

  function log(who, dice, words, judged) {
    const line = document.createElement("li");
    line.textContent = `${who} ${dice.join("-")}: ${words} `;
    if (judged) {
      const note = document.createElement("span");
      note.className = judged.loss < 0.0005 ? "right" : "loss";
      note.textContent = judged.loss < 0.0005 ? "best" : `${plain(-judged.loss)}, better ${judged.best}`;
      line.append(note);
    }
    $("log").prepend(line);
  }

  // Draws all that the game's state decides.
  function show() {
    const moves = game.phase === "move" ? steps(game.position, game.left) : [];
    const to = moves.filter((s) => s.from === game.chosen).map((s) => s.to);
    const left = game.left.slice();
    const used = all(game.dice.length ? game.dice : [1, 2]).map((d) => {
      const k = left.indexOf(d);
      if (k >= 0) left.splice(k, 1);
      return game.own && k < 0;
    });
    const held = document.activeElement?.dataset?.at; // the keyboard stays where it was
    draw($("board"), game.position, { dice: game.dice.length ? all(game.dice) : [], used, own: game.own, to,
      from: [...new Set(moves.map((s) => s.from))], chosen: game.chosen, last: game.last });
    if (held !== undefined) $("board").querySelector(`[data-at="${held}"][tabindex]`)?.focus();
    const done = game.phase === "move" && moves.length === 0;
    $("go").textContent = game.phase === "move" ? "Done" : game.phase === "over" ? "Next game" : "Roll";
    $("go").disabled = !(game.phase === "roll" || game.phase === "over" || done);
    $("undo").disabled = game.phase !== "move" || game.past.length === 0;
    $("hint").disabled = game.phase !== "move";
    $("new").disabled = !player || game.phase === "wait";
    $("score").textContent = `you ${score.you} · net ${score.net}`;
    if (document.activeElement !== $("id")) $("id").value = encode(game.position);
  }

  // Chances as the person has them; mine says who is about to roll.
  function chances(mine) {
    const o = [0, 0, 0, 0, 0];
    player.evaluate(mine ? game.position : swapped(game.position), o);
    if (!mine) invert([...o], o);
    $("equity").textContent = `equity ${plain(equity(o))}`;
    $("share").style.width = percent(o[0]).replace(" ", "");
    const row = (id, values) => {
      $(id).replaceChildren($(id).firstElementChild, ...values.map((v) => {
        const cell = document.createElement("td");
        cell.textContent = percent(v);
        return cell;
      }));
    };
    row("wins", o.slice(0, 3));
    row("losses", [1 - o[0], o[3], o[4]]);
  }

  function begin(dice) {
    Object.assign(game, { phase: "move", own: true, dice, left: all(dice), made: [], past: [], chosen: null,
      before: copy(game.position) });
    const any = steps(game.position, game.left).length > 0;
    status(`You rolled ${dice.join("-")}: ${any ? "choose a checker, then where it goes." : "no legal move."}`);
    show();
  }

  function choose(at) {
    if (game.phase !== "move") return;
    const moves = steps(game.position, game.left);
    const step = moves.filter((s) => s.from === game.chosen && s.to === at).sort((a, b) => a.die - b.die)[0];
    if (step) { make(step); return; }
    const own = moves.filter((s) => s.from === at);
    if (own.length === 0 || game.chosen === at) game.chosen = null;
    else if (new Set(own.map((s) => s.to)).size === 1) { make(own[0]); return; } // nothing to choose
    else game.chosen = at;
    show();
  }

  function make(step) {
    game.past.push({ position: copy(game.position), left: game.left.slice() });
    move(game.position, step.from, step.die);
    game.left.splice(game.left.indexOf(step.die), 1);
    game.made.push([step.from, step.die]);
    game.chosen = null;
    show();
    if (!ended() && steps(game.position, game.left).length === 0) status("Done, or undo.");
  }

  function undo() {
    const { position, left } = game.past.pop();
    Object.assign(game, { position, left, chosen: null });
    game.made.pop();
    show();
  }

  // What a play of the person's costs by the player's judgment.
  function judge(result) {
    const ranked = player.rank(game.before, ...game.dice, ply()), id = encode(result);
    const own = ranked.find((p) => encode(p) === id);
    if (!own || ranked.length < 2) return null;
    return { loss: Math.max(0, ranked[0].equity - own.equity), best: notation(game.before, ranked[0].moves) };
  }

  async function done() {
    game.phase = "wait";
    $("hints").hidden = true;
    show();
    log("You", game.dice, notation(game.before, game.made), judge(swapped(game.position)));
    if (finish()) return;
    await reply(roll());
  }

  async function reply(dice) {
    Object.assign(game, { phase: "wait", own: false, dice, left: [], last: [], chosen: null });
    status("The net plays …");
    show();
    await pause(350); // so that the roll is seen
    const before = swapped(game.position), best = player.rank(before, ...dice, ply())[0];
    const words = notation(before, best.moves);
    game.position = { me: best.me, opp: best.opp };
    game.last = [...new Set(best.moves.map(([from, d]) => 23 - (from - d)))];
    log("Net", dice, words);
    if (finish()) return;
    Object.assign(game, { phase: "roll", before: null });
    chances(true);
    status(`The net rolled ${dice.join("-")} and played ${words}. Your roll.`);
    show();
  }

  const ended = () => classify(game.position) === "over";

  function finish() {
    if (!ended()) return false;
    const o = [0, 0, 0, 0, 0];
    player.evaluate(game.position, o);
    const points = Math.round(equity(o)), kind = ["", "", " by a gammon", " by a backgammon"][Math.abs(points)];
    if (points > 0) score.you += points;
    else score.net -= points;
    game.phase = "over";
    chances(true);
    status(points > 0 ? `You win${kind}!` : `The net wins${kind}.`);
    show();
    return true;
  }

  async function newGame() {
    $("log").replaceChildren();
    $("hints").hidden = true;
    Object.assign(game, { position: start(), dice: [], left: [], last: [], chosen: null });
    let dice;
    do dice = roll(); while (dice[0] === dice[1]);
    chances(dice[0] > dice[1]);
    if (dice[0] > dice[1]) begin(dice);
    else await reply(dice);
  }

  function hint() {
    const ranked = player.rank(game.before, ...game.dice, ply()), rows = ranked.slice(0, 5).map((p) => {
      const row = document.createElement("tr");
      const less = p === ranked[0] ? "" : plain(p.equity - ranked[0].equity);
      for (const text of [notation(game.before, p.moves), plain(p.equity), less]) {
        const cell = document.createElement("td");
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    });
    $("hints").querySelector("tbody").replaceChildren(...rows);
    $("hints").hidden = false;
  }

  // Evaluations a second of the plays of all rolls, encoding and all.
  bgtrain.measure = () => {
    const list = bgtrain.rolls.flatMap(([hi, lo]) => bgtrain.plays(game.position, hi, lo)), out = [0, 0, 0, 0, 0];
    const begun = performance.now();
    let n = 0;
    do {
      for (const p of list) player.evaluate(p, out);
      n += list.length;
    } while (performance.now() - begun < 1000);
    return Math.round(1000 * n / (performance.now() - begun));
  };

  function setPosition() {
    try {
      const position = decode($("id").value.trim());
      const fits = [position.me, position.opp].every((s) => bgtrain.onBoard(s) <= 15) &&
        encode(position) === $("id").value.trim() && classify(position) !== "over" &&
        !position.me.some((n, i) => i < 24 && n && position.opp[23 - i]);
      if (!fits) throw new Error("no position");
      Object.assign(game, { phase: "roll", position, dice: [], left: [], last: [], chosen: null, own: true });
      $("log").replaceChildren();
      $("hints").hidden = true;
      $("found").textContent = "";
      chances(true);
      status("Your roll.");
      show();
    } catch {
      $("found").textContent = "That is no Position ID of a game that goes on.";
    }
  }

  // While the person waits, the page has to be drawn first.
  const later = (work) => async () => { await pause(20); work(); };

  $("board").addEventListener("click", (e) => {
    if (e.target.dataset.at !== undefined) choose(Number(e.target.dataset.at));
  });
  $("board").addEventListener("keydown", (e) => {
    if ((e.key !== "Enter" && e.key !== " ") || e.target.dataset.at === undefined) return;
    e.preventDefault();
    choose(Number(e.target.dataset.at));
  });
  $("go").addEventListener("click", () => {
    if (game.phase === "roll") begin(roll());
    else if (game.phase === "over") newGame();
    else if (game.phase === "move") done();
  });
  $("undo").addEventListener("click", undo);
  $("hint").addEventListener("click", hint);
  $("new").addEventListener("click", newGame);
  $("set").addEventListener("click", () => { if (game.phase !== "wait") setPosition(); });
  $("measure").addEventListener("click", () => {
    $("found").textContent = "a second, please …";
    later(() => {
      $("found").textContent = `${bgtrain.measure().toLocaleString("en")} evaluations a second` +
        (player.simd ? ", by WebAssembly." : ", in plain JavaScript: this browser has no WebAssembly for it.");
    })();
  });

  bgtrain.ready = (async () => {
    show();
    try {
      player = bgtrain.player = await bgtrain.load();
    } catch (e) {
      status(`The net cannot be read: ${e.message}`);
      throw e;
    }
    $("name").textContent = `against ${player.about.name}, net ${player.about.net}`;
    document.title = `Backgammon against ${player.about.name}`;
    await newGame();
  })();
})();

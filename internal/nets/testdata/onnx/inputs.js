// Compares what encode.js in the directory of the first argument makes of positions
// with what it should: lines of JSON {position, class, set, inputs} in the file of
// the second.
const fs = require("fs"), path = require("path");
const encode = require(path.resolve(process.argv[2], "encode.js"));

const found = {};
for (const line of fs.readFileSync(process.argv[3], "utf8").trim().split("\n")) {
  const want = JSON.parse(line), board = encode.decode(want.position);
  const own = encode.sets[want.set](board);
  if (encode.classify(board) !== want.class) throw new Error(`${want.position}: ${encode.classify(board)}`);
  if (own.length !== want.inputs.length) throw new Error(`${want.position}: ${own.length} inputs`);
  const at = found[want.set] ??= { positions: 0, different: 0, worst: 0, where: "" };
  at.positions++;
  own.forEach((v, k) => {
    const d = Math.abs(v - Math.fround(want.inputs[k]));
    if (d > 0) at.different++;
    if (!(d <= at.worst)) { at.worst = d; at.where = `${want.position} input ${k}`; }
  });
}
console.log(JSON.stringify(found));

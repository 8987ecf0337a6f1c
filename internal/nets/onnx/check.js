// Runs the models of a directory, this one unless another is named, on the inputs
// of its fixtures.json with onnxruntime-node, and prints the largest difference of
// an output; and of an input, from what encode.js makes of the position, where it
// knows the set.
const fs = require("fs"), path = require("path");
const ort = require("onnxruntime-node");
const encode = require("./encode.js");

async function main(dir) {
  const fixtures = JSON.parse(fs.readFileSync(path.join(dir, "fixtures.json")));
  const found = { worst: 0, count: 0, worstInput: 0, encoded: 0 };
  for (const net of fixtures.nets) {
    const session = await ort.InferenceSession.create(path.join(dir, net.file));
    const width = net.input_names.length, rows = net.positions.length;
    const inputs = new Float32Array(rows * width);
    net.positions.forEach((p, i) => inputs.set(p.inputs, i * width));
    const result = await session.run({ inputs: new ort.Tensor("float32", inputs, [rows, width]) });
    net.positions.forEach((p, i) => p.outputs.forEach((want, k) => {
      found.worst = Math.max(found.worst, Math.abs(want - result.outputs.data[i * p.outputs.length + k]));
      found.count++;
    }));
    const set = encode.sets[net.inputs];
    for (const p of set ? net.positions : []) {
      const board = encode.decode(p.position), own = set(board);
      if (own.length !== width) throw new Error(`${net.inputs}: ${own.length} inputs, ${width} expected`);
      if (encode.classify(board) !== net.role.split(".").at(-1)) throw new Error(`${p.position} is not ${net.role}`);
      own.forEach((v, k) => { found.worstInput = Math.max(found.worstInput, Math.abs(v - Math.fround(p.inputs[k]))); });
      found.encoded++;
    }
  }
  console.log(JSON.stringify(found));
}

main(process.argv[2] ?? __dirname).catch((e) => { console.error(e); process.exit(1); });

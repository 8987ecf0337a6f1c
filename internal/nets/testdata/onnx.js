// Runs the models of a directory on the inputs of its fixtures.json with
// onnxruntime-node and prints the largest difference of an output.
const fs = require("fs"), path = require("path");
const ort = require("onnxruntime-node");

async function main(dir) {
  const fixtures = JSON.parse(fs.readFileSync(path.join(dir, "fixtures.json")));
  let worst = 0, count = 0;
  for (const net of fixtures.nets) {
    const session = await ort.InferenceSession.create(path.join(dir, net.file));
    const width = net.input_names.length, rows = net.positions.length;
    const inputs = new Float32Array(rows * width);
    net.positions.forEach((p, i) => inputs.set(p.inputs, i * width));
    const result = await session.run({ inputs: new ort.Tensor("float32", inputs, [rows, width]) });
    net.positions.forEach((p, i) => p.outputs.forEach((want, k) => {
      worst = Math.max(worst, Math.abs(want - result.outputs.data[i * p.outputs.length + k]));
      count++;
    }));
  }
  console.log(JSON.stringify({ worst, count }));
}

main(process.argv[2]).catch((e) => { console.error(e); process.exit(1); });

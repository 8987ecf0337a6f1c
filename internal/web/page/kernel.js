"use strict";
// What computes the layers of a net: the kernels of WebAssembly, or the same in plain
// JavaScript, bit for bit. Numbers are float32; products are rounded before they are
// added. Vectors lie in a memory, padded to a multiple of 4 numbers; addresses are bytes.
(() => {
  const f32 = Math.fround;

  // The twin: the kernels in plain JavaScript, on a memory of the same layout.
  function plainKernels(buffer, { exp }) {
    const floats = new Float32Array(buffer), ints = new Int32Array(buffer);
    const cell = new Float32Array(1), bits = new Int32Array(cell.buffer);

    // e^v, v within ±87: 2^n·e^r with |r| at most ln(2)/2.
    const log2e = f32(Math.LOG2E), rounding = 3 * 2 ** 22, high = 0.693359375, low = f32(-2.12194440e-4);
    function power(v) {
      v = Math.min(Math.max(v, -87), 87);
      const n = f32(f32(f32(v * log2e) + rounding) - rounding);
      const r = f32(f32(v - f32(n * high)) - f32(n * low));
      let p = exp[0];
      for (let k = 1; k < exp.length; k++) p = f32(f32(p * r) + exp[k]);
      return f32(p * 2 ** n);
    }

    // 1 + e^|v|, e^|v| by its tangent at the tenth below, as GNU Backgammon has it.
    function onePlusExp(v, tangents) {
      const t = Math.min(f32(Math.abs(v) * 10), 100), k = Math.trunc(t);
      return f32(1 + f32(floats[(tangents >> 2) + k] * f32(10 - k + t)));
    }

    // The approximate reciprocal of x86 processors.
    function reciprocal(d) {
      cell[0] = d;
      bits[0] = (bits[0] & ~4095) | 2047;
      cell[0] = 1 / cell[0];
      bits[0] = (bits[0] + 1023) & ~2047;
      return cell[0];
    }

    const activation = (of) => (x, n, beta, tangents) => {
      beta = f32(beta);
      for (let i = x >> 2, end = i + n; i < end; i++) floats[i] = of(f32(floats[i] * beta), tangents);
    };
    const reflected = (y, v) => (v > 0 ? f32(1 - y) : y);

    return {
      // Lists the indices of the numbers that are not zero and returns how many.
      list(x, n, to) {
        x >>= 2;
        to >>= 2;
        let count = 0;
        for (let i = 0; i < n; i++) if (floats[x + i] !== 0) ints[to + count++] = i;
        return count;
      },
      // Adds up the units of a layer: the bias, then the weights of each input listed
      // times the input. A row of weights is width bytes.
      sums(list, count, x, w, width, bias, out) {
        list >>= 2; x >>= 2; w >>= 2; width >>= 2; bias >>= 2; out >>= 2;
        for (let u = 0; u < width; u++) floats[out + u] = floats[bias + u];
        for (let p = list; p < list + count; p++) {
          const v = floats[x + ints[p]], row = w + ints[p] * width;
          for (let u = 0; u < width; u++) floats[out + u] += f32(v * floats[row + u]);
        }
      },
      // Computes a last layer: for each output a row of n weights, four partial sums that
      // are added in pairs, and the bias.
      dot(x, n, w, bias, outputs, out) {
        x >>= 2; w >>= 2; bias >>= 2; out >>= 2;
        for (let o = 0; o < outputs; o++, w += n) {
          let a = 0, b = 0, c = 0, d = 0;
          for (let i = 0; i < n; i += 4) {
            a = f32(a + f32(floats[x + i] * floats[w + i]));
            b = f32(b + f32(floats[x + i + 1] * floats[w + i + 1]));
            c = f32(c + f32(floats[x + i + 2] * floats[w + i + 2]));
            d = f32(d + f32(floats[x + i + 3] * floats[w + i + 3]));
          }
          floats[out + o] = f32(f32(f32(a + b) + f32(c + d)) + floats[bias + o]);
        }
      },
      // Activations replace n numbers by what they make of beta times each.
      sigmoid: activation((v) => f32(1 / f32(1 + power(-v)))),
      tanh: activation((v) => {
        const e = power(f32(Math.abs(v) * -2)), t = f32(f32(1 - e) / f32(1 + e));
        return v < 0 ? -t : t;
      }),
      relu: activation((v) => Math.max(v, 0)),
      squaredReLU: activation((v) => f32(Math.max(v, 0) ** 2)),
      gnubg: activation((v, tangents) => reflected(f32(1 / onePlusExp(v, tangents)), v)),
      gnubgHidden: activation((v, tangents) => reflected(reciprocal(onePlusExp(v, tangents)), v)),
    };
  }

  // A memory of so many bytes and the kernels that work on it: { buffer, kernels, simd }.
  // wasm is the module's bytes. A browser without its instructions gets the twin.
  bgtrain.machine = (wasm, bytes, constants, plain) => {
    if (!plain && typeof WebAssembly === "object" && WebAssembly.validate(wasm)) {
      const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) });
      const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } });
      return { buffer: memory.buffer, kernels: instance.exports, simd: true };
    }
    const buffer = new ArrayBuffer(Math.ceil(bytes / 4) * 4);
    return { buffer, kernels: plainKernels(buffer, constants), simd: false };
  };
})();

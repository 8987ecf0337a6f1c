"""Compares the training speed of this program with PyTorch's on the same machine.

    /usr/bin/python3 benchmark/pytorch/compare.py [--cpu] [--ours] [ROUNDS]
    BENCHTIME=5s …                  how long each of ours goes on (1s)

Run it with Debian's python3-torch AND libopenblas0-pthread (with the reference BLAS
PyTorch is many times slower and no comparison); with --ours it leaves PyTorch out. Both train a 250-HIDDEN-5 net of sigmoid units in batches of 512 with
Adam. Rounds of both alternate, so that a busy machine slows both; the table shows
medians of the rounds. With --cpu it shows positions per second of CPU time, of
one thread: the fairer figure where other programs compete for the processor.

  PyTorch    dense inputs ready in memory (torch_speed.py)
  dense      ours, the same inputs, dense kernels
  sparse     ours, the same inputs, skipping the zeros (found anew in every batch)
  encoding   ours, positions in memory: shuffled, decoded and encoded in every epoch
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

HIDDEN, THREADS = (128, 256, 512), (1, 2)
UNITS = ("positions/s", "positions/cpu-s")
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def go_test(package, binary):
    subprocess.run(["go", "test", "-c", "-o", binary, package], cwd=ROOT, check=True)
    return binary


def go_speed(binary, pattern, unit):
    out = subprocess.run([binary, "-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + os.environ.get("BENCHTIME", "1s")],
                         cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return float(re.search(r"([\d.e+]+) " + unit, out).group(1))


def torch_speed(threads, hidden, unit):
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
    out = subprocess.run([sys.executable, os.path.join(HERE, "torch_speed.py"), str(threads), str(hidden)],
                         env=env, check=True, capture_output=True, text=True).stdout
    return float(out.split()[UNITS.index(unit)])


def main(rounds, unit, ours_only):
    with tempfile.TemporaryDirectory() as tmp:
        step = go_test("./internal/backprop", os.path.join(tmp, "step"))
        run = go_test("./trainer/fit", os.path.join(tmp, "run"))
        print("%s, median of %d rounds\n" % (unit, rounds))
        print("%6s %7s %9s %9s %9s %9s %16s" % ("hidden", "threads", "PyTorch", "dense", "sparse", "encoding", "sparse/PyTorch"))
        for hidden in HIDDEN:
            for threads in THREADS if unit == UNITS[0] else (1,):
                ours = "hidden=%d/workers=%d$" % (hidden, threads)
                found = {"torch": [], "dense": [], "sparse": [], "encoding": []}
                for _ in range(rounds):
                    found["torch"].append(float("nan") if ours_only else torch_speed(threads, hidden, unit))
                    found["dense"].append(go_speed(step, "^BenchmarkStep$/kernels=dense/" + ours, unit))
                    found["sparse"].append(go_speed(step, "^BenchmarkStep$/kernels=sparse/" + ours, unit))
                    found["encoding"].append(go_speed(run, "^BenchmarkRun$/" + ours, unit))
                t, d, s, e = (statistics.median(v) for v in found.values())
                print("%6d %7d %9.0f %9.0f %9.0f %9.0f %15.1fx" % (hidden, threads, t, d, s, e, s / t), flush=True)


if __name__ == "__main__":
    numbers = [a for a in sys.argv[1:] if not a.startswith("--")]
    main(int(numbers[0]) if numbers else 5, UNITS["--cpu" in sys.argv], "--ours" in sys.argv)

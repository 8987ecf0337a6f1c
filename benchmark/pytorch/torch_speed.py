"""Training speed of PyTorch on the CPU: a net of 250 inputs, one hidden layer and
5 outputs, sigmoid units, batches of 512, squared error, Adam, inputs ready in
memory. Prints positions per second, and per second of CPU time: medians of five
measurements.

    /usr/bin/python3 torch_speed.py THREADS HIDDEN
"""
import sys
import time

import torch

BATCH, INPUTS, OUTPUTS, ROWS = 512, 250, 5, 20000


def main(threads, hidden):
    torch.set_num_threads(threads)
    net = torch.nn.Sequential(torch.nn.Linear(INPUTS, hidden), torch.nn.Sigmoid(),
                              torch.nn.Linear(hidden, OUTPUTS), torch.nn.Sigmoid())
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    x = (torch.rand(ROWS, INPUTS) < 0.2).float()
    y = torch.rand(ROWS, OUTPUTS)

    def speed(steps):
        start, cpu = time.perf_counter(), time.process_time()
        for i in range(steps):
            j = i * BATCH % (ROWS - BATCH)
            optimizer.zero_grad(set_to_none=True)
            loss = ((net(x[j:j + BATCH]) - y[j:j + BATCH]) ** 2).mean()
            loss.backward()
            optimizer.step()
        n = steps * BATCH
        return n / (time.perf_counter() - start), n / (time.process_time() - cpu)

    speed(20)  # warm up
    wall, cpu = zip(*(speed(100) for _ in range(5)))
    print("%.0f %.0f" % (sorted(wall)[2], sorted(cpu)[2]))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

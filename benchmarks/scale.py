"""Train one network in 1, 2 and 4 processes of one machine: the same losses, and what a step costs as processes are added.

    python benchmarks/scale.py [--processes 1 2 4] [--devices 1] [--steps 30] [--width 512] [--batch 64]

First all processes share one batch: the losses must agree up to rounding. Then each process has a batch of its own (weak scaling).
The time of a step is the median, in the slowest process; with more processes than cores they share the cores, so the processor time
of a step in each process is shown as well: what it takes beyond that of one process is the cost of computing together. Devices are
virtual (XLA's CPU backend), and the processes exchange gradients over the loopback interface.
"""

import argparse
import itertools
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
LAYERS, INPUTS, CLASSES, WARM_UP = 4, 64, 10, 5


def train(address, count, index, options):
    """Print the losses of the shared batches, then the times of steps with a batch for each process."""
    import numpy as np

    import whygrad as tf

    if count > 1:
        tf.distribute.initialize(address, num_processes=count, process_id=index)
    strategy = tf.distribute.DataParallel()
    sizes = [INPUTS, *[options.width] * (LAYERS - 1), CLASSES]
    rng = np.random.default_rng(0)
    with strategy.scope():
        weights = [
            tf.Variable((rng.normal(size=size) / size[0] ** 0.5).astype("float32"))
            for size in itertools.pairwise(sizes)
        ]

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            for weight in weights[:-1]:
                x = tf.nn.relu(x @ weight)
            loss = tf.reduce_mean((x @ weights[-1] - y) ** 2)
        for weight, gradient in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.05 * gradient)
        return loss

    def batch(rows):
        """A batch of all processes, of which this one takes its part."""
        x = rng.normal(size=(rows, INPUTS)).astype("float32")
        mine = slice(index * rows // count, (index + 1) * rows // count)
        return strategy.shard((x[mine], np.tanh(x[mine, :CLASSES])))

    losses = [float(step(*batch(options.batch))) for _ in range(options.steps)]
    together = batch(options.batch * count)
    wall, used = [], []
    for _ in range(options.steps + WARM_UP):
        start, before = time.perf_counter(), time.process_time()
        float(step(*together))
        wall.append(time.perf_counter() - start)
        used.append(time.process_time() - before)
    found = {
        "losses": losses,
        "wall": statistics.median(wall[WARM_UP:]),
        "used": statistics.median(used[WARM_UP:]),
        "numbers": sum(a * b for a, b in itertools.pairwise(sizes)),
    }
    print(json.dumps(found), flush=True)
    if count > 1:
        tf.distribute.shutdown()


def start(count, options):
    """What each of `count` processes found."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    environment = {
        **os.environ,
        "PYTHONPATH": str(HERE.parent / "src"),
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={options.devices}",
    }
    command = [sys.executable, __file__, *sys.argv[1:], "--serve", address, str(count)]
    running = [
        subprocess.Popen([*command, str(i)], env=environment, stdout=subprocess.PIPE, text=True) for i in range(count)
    ]
    return [json.loads(each.communicate()[0].splitlines()[-1]) for each in running]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", nargs="*", type=int, default=[1, 2, 4])
    parser.add_argument("--devices", type=int, default=1, help="virtual devices of each process")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--batch", type=int, default=64, help="rows, of all processes and then of each")
    parser.add_argument("--serve", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        address, count, index = options.serve
        train(address, int(count), int(index), options)
        return
    first = None
    for count in options.processes:
        found = start(count, options)
        losses, wall, used = found[0]["losses"], *(max(each[name] for each in found) for name in ("wall", "used"))
        first = first or (losses, used)
        apart = max(abs(a - b) / abs(b) for a, b in zip(losses, first[0]))
        print(
            f"{count} processes: last loss {losses[-1]:.6f}, at most {apart:.1e} apart (relative); own batch each: "
            f"{wall * 1e3:.2f} ms a step, {used * 1e3:.2f} ms of processor time in each process "
            f"({used / first[1]:.2f} x the first), {found[0]['numbers'] * 4 / 1e6:.1f} MB of gradients",
            flush=True,
        )


if __name__ == "__main__":
    main()

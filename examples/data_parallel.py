"""Train on one device, then on four in two processes, and get the same losses.

A network classifies scikit-learn's digits. It is trained twice: in this process on one device, and by two processes of two virtual
devices each, which this program starts on this machine. Half of each batch goes to each process, and a quarter to each device. The
first layer is split across the devices, the others have a copy on each. Means and gradients are over the whole batch, so the losses
agree up to rounding. Needs JAX: pip install 'whygrad[examples,xla]'.

    python examples/data_parallel.py --out data_parallel.png
"""

import os
import socket
import subprocess
import sys

import numpy as np
from common import BLUE, GREY, ORANGE, arguments, digits, plt, save, watch

import whygrad as tf

PROCESSES, DEVICES, BATCH, HIDDEN = 2, 2, 64, 96
STEPS, SMALL = 400, 60
EPSILON = np.finfo(np.float32).eps


class Classifier:
    """Two dense layers, trained by gradient descent with momentum: one compiled function per step."""

    def __init__(self, rng):
        self.hidden = tf.Variable(rng.normal(scale=0.15, size=(64, HIDDEN)).astype("float32"), name="hidden")
        self.hidden_bias = tf.Variable(tf.zeros(HIDDEN), name="hidden_bias")
        self.out = tf.Variable(rng.normal(scale=0.15, size=(HIDDEN, 10)).astype("float32"), name="out")
        self.out_bias = tf.Variable(tf.zeros(10), name="out_bias")
        self.variables = [self.hidden, self.hidden_bias, self.out, self.out_bias]
        self.speeds = [tf.Variable(tf.zeros_like(v), trainable=False, name=v.name[:-2]) for v in self.variables]

    def __call__(self, images):
        x = tf.nn.relu(tf.reshape(images, (-1, 64)) @ self.hidden + self.hidden_bias)
        return x @ self.out + self.out_bias

    @tf.function
    def step(self, images, labels):
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=self(images))
            loss = tf.reduce_mean(losses)  # over the whole batch, on all devices
        for variable, speed, gradient in zip(
            self.variables, self.speeds, tape.gradient(loss, self.variables), strict=True
        ):
            speed.assign(0.9 * speed - 0.05 * gradient)
            variable.assign_add(speed)
        return loss


def train(seed, steps, devices=None):
    """Yield the loss of each step, on the given devices or on all devices of all processes."""
    strategy = tf.distribute.DataParallel(devices, variable_rule={"hidden": 1})
    rng = np.random.default_rng(seed)
    with strategy.scope():
        model = Classifier(rng)
    images, labels = digits()
    part = BATCH // tf.distribute.process_count()
    mine = slice(tf.distribute.process_index() * part, (tf.distribute.process_index() + 1) * part)
    for _ in range(steps):
        chosen = rng.integers(len(images), size=BATCH)[mine]
        yield float(model.step(*strategy.shard((images[chosen], labels[chosen]))))


def work(seed, steps):
    """Run one of the processes; `main` reads the losses from the output of the first."""
    tf.distribute.initialize(heartbeat_timeout=20)  # reads the address from the environment
    for loss in train(seed, steps):
        if tf.distribute.process_index() == 0:
            print("loss", loss, flush=True)
    tf.distribute.shutdown()


def train_in_processes(seed, steps):
    """Start several processes that train together, and yield their losses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={DEVICES}",
        "JAX_COORDINATOR_ADDRESS": address,
        "JAX_NUM_PROCESSES": str(PROCESSES),
    }
    command = [sys.executable, __file__, "--seed", str(seed), "--steps", str(steps)]
    running = [
        subprocess.Popen(
            command,
            env={**environment, "JAX_PROCESS_ID": str(index)},
            stdout=subprocess.PIPE if index == 0 else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for index in range(PROCESSES)
    ]
    try:
        for line in running[0].stdout:
            if line.startswith("loss "):
                yield float(line.split()[1])
        for index, process in enumerate(running):
            if process.wait(timeout=60):
                raise SystemExit(f"process {index} failed:\n{process.stderr.read()}")
    finally:
        for process in running:
            process.kill()
            process.communicate()


def picture(alone, together):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    steps = np.arange(1, len(alone) + 1)
    left.plot(steps, alone, color=BLUE, alpha=0.35, linewidth=3, label="1 process, 1 device")
    left.plot(steps, together, color=ORANGE, linewidth=0.8, label=f"{PROCESSES} processes, {DEVICES} devices each")
    left.set_title("Cross entropy along training")
    left.set_yscale("log")
    left.set_xlabel("step")
    left.legend()
    right.plot(steps, np.subtract(together, alone) / alone / EPSILON, ".", color=ORANGE, markersize=2)
    right.axhline(0, color=GREY, linewidth=0.8)
    right.set_title("Relative difference of the two, in units of float32's rounding (1.2e-7)")
    right.set_xlabel("step")
    return figure


def main(argv=None):
    chosen = arguments(__file__, argv, steps=STEPS, small=SMALL)
    if "JAX_PROCESS_ID" in os.environ:
        work(chosen.seed, chosen.steps)
        return
    alone = watch(train(chosen.seed, chosen.steps, ["CPU:0"]), chosen.steps, "1 process")
    together = watch(train_in_processes(chosen.seed, chosen.steps), chosen.steps, f"{PROCESSES} processes")
    difference = np.max(np.abs(np.subtract(together, alone)) / alone)
    print(f"loss {alone[0]:.3f} at first, {np.mean(alone[-20:]):.3f} at last")
    print(f"largest relative difference of the loss, in {PROCESSES} processes and in one: {difference:.1e}")
    save(picture(alone, together), chosen.out)


if __name__ == "__main__":
    main()

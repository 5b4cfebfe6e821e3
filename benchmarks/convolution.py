"""Compare convolution and pooling steps (forward, and gradients of all inputs) with PyTorch, where it is installed.

    python benchmarks/convolution.py [rounds]

3x3 taps at 28x28, float32, one thread each, in CPU time of the calling thread. Rounds alternate between the two libraries, and the
best round of each counts.
"""

import importlib.util
import os
import sys
import time
from collections.abc import Callable

import numpy as np

import whygrad as tf

Step = Callable[[], object]

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

CHANNELS = [(1, 16), (1, 32), (3, 16), (8, 16), (16, 16), (16, 32), (32, 32)]
BATCHES = [16, 32]


def ours(function: Callable[..., tf.Tensor], *shapes: tuple[int, ...]) -> Step:
    rng = np.random.default_rng(0)
    sources = [tf.constant(rng.normal(size=shape).astype(np.float32)) for shape in shapes]

    def step() -> object:
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = function(*sources)
        return tape.gradient(y, sources)

    return step


def theirs(function: Callable[..., object], *shapes: tuple[int, ...]) -> Step:
    import torch

    torch.set_num_threads(1)
    sources = [torch.randn(*shape, requires_grad=True) for shape in shapes]
    return lambda: torch.autograd.grad(function(*sources).sum(), sources)


def steps(peer: bool) -> dict[str, tuple[Step, Step | None]]:
    """Return steps by name: ours and, if there is a peer, the peer's in its preferred channel order."""
    rows: dict[str, tuple[Step, Step | None]] = {}
    if peer:
        from torch.nn import functional
    for batch in BATCHES:
        for ins, outs in CHANNELS:
            rows[f"conv2d, batch {batch}, channels {ins} to {outs}"] = (
                ours(lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"), (batch, 28, 28, ins), (3, 3, ins, outs)),
                theirs(lambda x, w: functional.conv2d(x, w, padding=1), (batch, ins, 28, 28), (outs, ins, 3, 3))
                if peer
                else None,
            )
        for name in ("max_pool2d", "avg_pool2d"):
            rows[f"{name} of 2x2, batch {batch}, channels 16"] = (
                ours(lambda x, name=name: getattr(tf.nn, name)(x, 2, 2, "VALID"), (batch, 28, 28, 16)),
                theirs(lambda x, name=name: getattr(functional, name)(x, 2, 2), (batch, 16, 28, 28)) if peer else None,
            )
    return rows


def seconds(step: Step) -> float:
    start = time.thread_time()
    step()
    return time.thread_time() - start


def main(rounds: int = 15) -> None:
    peer = importlib.util.find_spec("torch") is not None
    for name, (mine, other) in steps(peer).items():
        best = [float("inf"), float("inf")]
        for _ in range(rounds):
            best[0] = min(best[0], seconds(mine))
            if other is not None:
                best[1] = min(best[1], seconds(other))
        beside = f"   PyTorch {best[1] * 1e3:7.2f} ms   {best[0] / best[1]:.2f} x PyTorch" if peer else ""
        print(f"{name:42} {best[0] * 1e3:7.2f} ms{beside}")


if __name__ == "__main__":
    if not ONE_THREAD.items() <= os.environ.items():  # the libraries read it when they load: restart the process
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_THREAD})
    main(*map(int, sys.argv[1:]))

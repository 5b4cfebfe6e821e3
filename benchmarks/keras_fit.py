"""One step of Keras's `fit` on whygrad, TensorFlow, JAX and PyTorch, eager and compiled.

    python benchmarks/keras_fit.py                    MLP 784-128-10 and a small CNN, batches of 64
    python benchmarks/keras_fit.py --rounds 3 --models mlp --json results.json

Each backend runs in a process of its own, which waits for its turn: a round visits all of them, one after the other, so that whatever
else the machine does meets all alike. A turn is one epoch of `fit` over batches in memory; the best turn counts, divided by its steps.
Backends that are not installed are left out. The losses of the first epoch are printed, to show that all train the same model.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time

BACKENDS = {"whygrad": "whygrad", "tensorflow": "tensorflow", "jax": "jax", "torch": "torch"}
STEPS = {"mlp": 200, "cnn": 30}
BATCH = 64


# -- in the process of one backend --


def model_of(name, keras):
    layers = keras.layers
    if name == "mlp":
        parts = [keras.Input((784,)), layers.Dense(128, activation="relu"), layers.Dense(10)]
    else:
        parts = [
            keras.Input((28, 28, 1)),
            layers.Conv2D(16, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(10),
        ]
    return keras.Sequential(parts)


def data_of(name, steps):
    import numpy as np

    rng = np.random.default_rng(0)
    shape = (784,) if name == "mlp" else (28, 28, 1)
    return rng.random((steps * BATCH, *shape), dtype=np.float32), rng.integers(0, 10, steps * BATCH)


def serve(backend):
    """Answer each line of stdin, a model and a mode, with the seconds of an epoch and its loss."""
    if backend == "whygrad":
        import whygrad.keras  # noqa: F401
    import keras

    made = {}
    for line in sys.stdin:
        name, mode = line.split()
        x, y = data_of(name, STEPS[name])
        if (name, mode) not in made:
            keras.utils.set_random_seed(0)
            model = made[name, mode] = model_of(name, keras)
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
            model.compile("adam", loss, run_eagerly=mode == "eager")
        start = time.perf_counter()
        history = made[name, mode].fit(x, y, batch_size=BATCH, epochs=1, shuffle=False, verbose=0)
        print(json.dumps([time.perf_counter() - start, history.history["loss"][0]]), flush=True)


# -- the script --


def started(backend):
    environment = {
        **os.environ,
        "KERAS_BACKEND": "tensorflow" if backend == "whygrad" else backend,
        "CUDA_VISIBLE_DEVICES": "",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    return subprocess.Popen(
        [sys.executable, __file__, "--serve", backend],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def asked(process, name, mode):
    process.stdin.write(f"{name} {mode}\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise SystemExit(f"{process.args[-1]} ended with status {process.wait()}")
    return json.loads(answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--models", nargs="+", default=list(STEPS), choices=list(STEPS))
    parser.add_argument("--modes", nargs="+", default=["compiled", "eager"], choices=["compiled", "eager"])
    parser.add_argument("--json", help="also write the figures here")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.serve)
        return
    running = {name: started(name) for name, module in BACKENDS.items() if importlib.util.find_spec(module)}
    figures = {}
    for name in given.models:
        for mode in given.modes:
            losses, best = {}, {}
            for turn in range(given.rounds + 1):  # the first one compiles, and is not counted
                for backend, process in running.items():
                    seconds, loss = asked(process, name, mode)
                    losses.setdefault(backend, loss)
                    if turn:
                        best[backend] = min(seconds, best.get(backend, seconds))
            per_step = {backend: 1000 * seconds / STEPS[name] for backend, seconds in best.items()}
            figures[f"{name} {mode}"] = per_step
            print(f"{name} {mode}: milliseconds a step, and beside whygrad's; loss of the first epoch")
            for backend, milliseconds in per_step.items():
                share = per_step["whygrad"] / milliseconds
                print(f"    {backend:12} {milliseconds:8.3f}   {share:5.2f}   {losses[backend]:.6f}")
    for process in running.values():
        process.stdin.close()
        process.wait()
    if given.json:
        with open(given.json, "w") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()

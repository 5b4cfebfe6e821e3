"""A program for the tests of `whygrad.distribute`: one of the processes that train a small network together.

    python training_process.py COMMAND ADDRESS COUNT INDEX DIRECTORY

COMMAND is a function below. What it found is written to DIRECTORY/INDEX.json when it is done.
"""

import json
import os
import pathlib
import sys
import time
import traceback

import numpy as np

import whygrad as tf

STEPS, BATCH = 6, 16


def data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(STEPS, BATCH, 8)).astype("float32")
    return x, np.tanh(x @ rng.normal(size=(8, 4))).astype("float32")


def network(scope):
    """Two layers, the first of which `RULE` divides; initialized by the numbers of process 0, though every process draws its own."""
    rng = np.random.default_rng(tf.distribute.process_index())
    with scope:
        return {
            "hidden": tf.Variable(rng.normal(size=(8, 12)).astype("float32") / 3, name="hidden"),
            "bias": tf.Variable(np.zeros(12, "float32"), name="bias"),
            "out": tf.Variable(rng.normal(size=(12, 4)).astype("float32") / 4, name="out"),
        }


RULE = {"hidden": 1, "o*": 0}


def step_of(variables, rate=0.2):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            hidden = tf.nn.dropout(tf.tanh(x @ variables["hidden"] + variables["bias"]), 0.25)
            loss = tf.reduce_mean((hidden @ variables["out"] - y) ** 2)
        for name, gradient in tape.gradient(loss, variables).items():
            variables[name].assign_sub(rate * gradient)
        return loss

    return step


def train(strategy, variables, begin=0, end=STEPS):
    """The losses, the batch divided among the processes."""
    count, index = tf.distribute.process_count(), tf.distribute.process_index()
    part = slice(index * BATCH // count, (index + 1) * BATCH // count)
    step = step_of(variables)
    tf.random.set_seed(100 + index)  # the draws are process 0's in all of them
    return [float(step(*strategy.shard((x[part], y[part])))) for x, y in list(zip(*data()))[begin:end]]


def run(directory, rule=None):
    strategy = tf.distribute.DataParallel(variable_rule=rule)
    variables = network(strategy.scope())
    losses = train(strategy, variables)
    checkpoint = tf.train.Checkpoint(**variables)
    path = checkpoint.save(directory / "ckpt")
    before = {name: strategy.gather(v).numpy().tolist() for name, v in variables.items()}
    more = train(strategy, variables, 0, 2)
    checkpoint.restore(path).assert_consumed()
    again = train(strategy, variables, 0, 2)
    parts = {name: list(v._value._array.addressable_shards[0].data.shape) for name, v in variables.items()}
    tf.distribute.shutdown()
    return {
        "losses": losses, "variables": before, "same after restoring": more == again, "parts": parts, "path": path,
        "replicas": strategy.num_replicas_in_sync,
    }  # fmt: skip


def replicated(directory):
    return run(directory)


def divided(directory):
    return run(directory, RULE)


def part_of_a_value(directory):
    """What a process cannot do alone with a value that it has a part of."""
    strategy = tf.distribute.DataParallel()
    x = strategy.shard(np.arange(4.0) + tf.distribute.process_index())
    found = {"whole": strategy.gather(x).numpy().tolist(), "repr": repr(x)}
    try:
        x.numpy()
    except RuntimeError as error:
        found["numpy"] = str(error)
    try:
        strategy.shard(np.zeros(2 + 2 * tf.distribute.process_index()))
    except ValueError as error:
        found["sizes"] = str(error)
    tf.distribute.shutdown()
    return found


def on_four_devices(directory):
    """One process: functions compiled before and after, tapes around compiled calls, and values from outside."""
    early = tf.function(lambda x: tf.reduce_sum(x * scale))
    scale = tf.Variable(2.0)
    found = {"before": float(early(tf.constant([1.0, 2.0])))}
    strategy = tf.distribute.DataParallel(variable_rule=lambda name, shape: 0 if len(shape) == 2 else None)
    with strategy.scope():
        w = tf.Variable(np.arange(8.0, dtype="float32").reshape(4, 2), name="w")
        made = []

        @tf.function
        def makes_a_variable(x):
            if not made:
                made.append(tf.Variable(3.0))
            return tf.reduce_mean(x) * made[0]

        x = strategy.shard(tf.reshape(tf.range(16.0), (4, 4)))
        found["makes a variable"] = float(makes_a_variable(x))
    found["after"] = float(early(x)), float(early(tf.constant([1.0, 2.0])))

    @tf.function
    def product(x, factor):
        scale.assign(factor)
        return tf.sin(x @ w) * factor

    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(product(x, tf.constant(0.5)))
    gradient = tape.gradient(loss, w)
    found["gradient"] = gradient.numpy().tolist()
    found["scale"] = scale.numpy().tolist()
    w.assign(2 * w)  # by NumPy: it lies as before when it is next used
    y = product(x, tf.constant(1.0))
    found["doubled"] = y.numpy().tolist()
    found["parts"] = [list(each._value._array.addressable_shards[0].data.shape) for each in (w, scale, made[0])]
    found["device"] = y.device
    found["traces"] = early.experimental_get_tracing_count()
    batch = strategy.shard({"a": np.zeros(4), "b": [np.zeros((8, 3))]})
    found["structure"] = batch["a"].shape.as_list(), batch["b"][0].shape.as_list()
    return found


def mistakes(directory):
    """What is refused, on four devices."""
    strategy = tf.distribute.DataParallel(variable_rule={"half": 1, "none": 2, "*": None})

    def variable(name):
        with strategy.scope():
            tf.Variable(np.zeros((4, 6)), name=name)

    attempts = {
        "size": lambda: strategy.shard({"x": np.zeros((6, 2))}),
        "scalar": lambda: strategy.shard(1.0),
        "string": lambda: strategy.shard(["a", "b", "c", "d"]),
        "not divisible": lambda: variable("half"),
        "no axis": lambda: variable("none"),
        "rule": lambda: tf.distribute.DataParallel(variable_rule=3),
        "device": lambda: tf.distribute.DataParallel(["CPU:4"]),
        "too late": lambda: tf.distribute.initialize("127.0.0.1:1", 2, 0),
    }
    found = {}
    for name, attempt in attempts.items():
        try:
            attempt()
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
    return found


def until_one_dies(directory):
    """Train for ever with a checkpoint after every step."""
    strategy = tf.distribute.DataParallel()
    variables = network(strategy.scope())
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(**variables), directory / "saved", max_to_keep=2)
    try:
        while True:
            train(strategy, variables)
            manager.save()
    except tf.distribute.ProcessLostError as error:
        return {"error": str(error), "class": type(error).__qualname__, "when": time.time()}


def absent(directory):
    """Process 1 makes other calls than process 0."""
    if tf.distribute.process_index() == 0:
        try:
            tf.distribute.barrier("the end of an epoch", timeout=2)
        except tf.errors.DeadlineExceededError as error:
            return {"error": str(error)}
    while tf.distribute.process_index() == 1 and not (directory / "0.json").exists():
        time.sleep(0.1)
    return {}


def main():
    command, address, count, index, directory = sys.argv[1:]
    directory = pathlib.Path(directory)
    if int(count) > 1:
        heartbeat = (
            5 if command == "until_one_dies" else 100
        )  # where none dies, a busy machine must not make it seem so
        tf.distribute.initialize(
            address, int(count), int(index), initialization_timeout=300, heartbeat_timeout=heartbeat
        )
    (directory / f"{index}.started").touch()
    try:
        found = globals()[command](directory)
    except Exception:
        found = {"traceback": traceback.format_exc()}
    temporary = directory / f"{index}.json.part"
    temporary.write_text(json.dumps(found))
    os.replace(temporary, directory / f"{index}.json")


if __name__ == "__main__":
    main()

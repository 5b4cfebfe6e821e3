"""Kills processes in the middle of saving checkpoints, and checks that every restore afterwards is whole.

    python benchmarks/killed_saves.py [KILLS]

A writer saves its variables, all of one value, again and again under one path and with a manager. After a random time it is
killed with SIGKILL. Then the latest checkpoint must exist, all variables must be restored to one value, no older than the last
save that the writer reported, and the next save must leave no file of a killed writer behind.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import whygrad as tf

WRITER = """
import sys
import whygrad as tf
variables = [tf.Variable(tf.zeros(size)) for size in (1, 1000, 100_000)]
checkpoint = tf.train.Checkpoint(variables=variables)
manager = tf.train.CheckpointManager(checkpoint, sys.argv[1], max_to_keep=2)
manager.restore_or_initialize()
while True:
    for variable in variables:
        variable.assign_add(tf.ones_like(variable))
    checkpoint.write(sys.argv[1] + "/single")
    manager.save()
    print(int(variables[0][0]), flush=True)
"""


def killed_writer(directory: str, seconds: float) -> int:
    """Run a writer, kill it some time after its first save, and return the last value that it reported."""
    with subprocess.Popen([sys.executable, "-c", WRITER, directory], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(seconds)
        writer.send_signal(signal.SIGKILL)
        return int([first, *writer.stdout.read().splitlines()][-1])


def restored(path: str) -> float:
    """The value that all variables of a checkpoint have."""
    variables = [tf.Variable(tf.zeros(size)) for size in (1, 1000, 100_000)]
    tf.train.Checkpoint(variables=variables).read(path).assert_existing_objects_matched().expect_partial()
    values = {float(each) for variable in variables for each in set(variable.numpy().tolist())}
    assert len(values) == 1, f"{path} mixes {sorted(values)}"
    return values.pop()


def main(kills: int, seed: int = 0) -> int:
    rng = random.Random(seed)
    in_a_save = 0
    with tempfile.TemporaryDirectory() as directory:
        for number in range(kills):
            reported = killed_writer(directory, rng.uniform(0.0, 0.03))
            latest = tf.train.latest_checkpoint(directory)
            assert latest is not None, "no checkpoint is left"
            assert restored(latest) >= reported
            assert restored(os.path.join(directory, "single")) >= reported
            left = list(pathlib.Path(directory).glob(".*"))
            in_a_save += bool(left)
            assert len(left) <= 1, "an earlier writer's files were not removed"
            if (number + 1) % 100 == 0:
                print(f"{number + 1} kills, {in_a_save} of them in the middle of a save", flush=True)
        tf.train.Checkpoint(v=tf.Variable(1.0)).write(os.path.join(directory, "last"))
        assert not list(pathlib.Path(directory).glob(".*"))
    print(f"{kills} kills, {in_a_save} of them in the middle of a save: every restore was whole")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))

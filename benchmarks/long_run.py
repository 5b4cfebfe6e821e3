"""Runs a program of many ops under `whygrad run`, and reports its memory and its processor time per op.

    python benchmarks/long_run.py [OPS]

The program trains a little and computes the rest outside tapes, as an evaluation does. Its memory after a tenth of the ops is compared
with that at the end: what a trace keeps does not grow with the program.
"""

import json
import os
import subprocess
import sys
import tempfile

MOST_GROWTH = 1.15  # of the memory, from a tenth of the program to its end; once the limits of the trace are reached

PROGRAM = """
import json, os, resource, sys, time
import tensorflow as tf

def memory():
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

OPS, OUT = int(sys.argv[1]), sys.argv[2]
w, b = tf.Variable([[0.5], [0.25]]), tf.Variable([0.0])
x, y = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant([[1.0], [2.0], [3.0]])
begun, noted, total, done, steps = time.process_time(), [], tf.constant(0.0), 0, 0
while done < OPS:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.matmul(x, w) + b - y) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.01 * dw)
    b.assign_sub(0.01 * db)
    for _ in range(140):
        total = total * 0.9 + loss
        total = tf.tanh(total)
    done += 7 + 3 * 140
    steps += 1
    if done * 10 >= OPS * (len(noted) + 1):
        noted.append(memory())
json.dump({"ops": done, "steps": steps, "seconds": time.process_time() - begun, "memory": noted}, open(OUT, "w"))
"""


def measured(ops: int, under_run: bool) -> dict:
    """What the program noted: its ops, its seconds, and its memory in MB at each tenth."""
    with tempfile.TemporaryDirectory() as folder:
        program, out = os.path.join(folder, "program.py"), os.path.join(folder, "noted.json")
        with open(program, "w") as file:
            file.write(PROGRAM if under_run else PROGRAM.replace("import tensorflow as tf", "import whygrad as tf"))
        start = [sys.executable, "-m", "whygrad", "run"] if under_run else [sys.executable]
        subprocess.run([*start, program, str(ops), out], check=True, stdout=subprocess.DEVNULL)
        with open(out) as file:
            return json.load(file)


def main(ops: int = 1_000_000) -> int:
    plain, traced = measured(ops // 10, False), measured(ops, True)
    each = [1e6 * found["seconds"] / found["ops"] for found in (plain, traced)]
    print(
        f"{traced['ops']:,} ops, {traced['steps']:,} training steps: {each[1]:.2f} us per op, {each[0]:.2f} us without tracing"
    )
    print("MB after each tenth:", " ".join(f"{megabytes:.0f}" for megabytes in traced["memory"]))
    return int(traced["memory"][-1] > MOST_GROWTH * max(traced["memory"][2:4], default=0.0) and ops >= 1_000_000)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))

"""The losses of several micro-batches are added up after each block, and the last tape is asked for the sum."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(47)
w = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
b = tf.Variable([0.0])
micro = [
    (rng.normal(size=(5, 4)).astype("float32"), rng.normal(size=(5, 1)).astype("float32")) for _ in range(3)
]


def forward(x):
    return x @ w + b


for epoch in range(2):
    total = 0.0
    for x, y in micro:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(forward(x) - y))
        total += loss / len(micro)  # cause
    dw, db = tape.gradient(total, [w, b])
    if dw is None:
        print("no gradient in epoch", epoch)
        continue
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)

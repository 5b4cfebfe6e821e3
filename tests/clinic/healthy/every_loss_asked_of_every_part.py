"""Losses for several parts of a model, each asked of each part; a part that a loss does not use is skipped."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(32)


def var(*s):
    return tf.Variable(rng.normal(0, 0.3, s).astype("float32"))


parts = {"trunk": [var(5, 8)], "value": [var(8, 1)], "policy": [var(8, 3)]}
x = tf.constant(rng.normal(size=(12, 5)).astype("float32"))
a = tf.constant(rng.integers(0, 3, 12))
r = tf.constant(rng.normal(size=12).astype("float32"))
for step in range(3):
    with tf.GradientTape(persistent=True) as tape:
        h = tf.tanh(x @ parts["trunk"][0])
        v = tf.squeeze(h @ parts["value"][0], 1)
        lp = tf.nn.log_softmax(h @ parts["policy"][0])
        losses = {
            "value": tf.reduce_mean((v - r) ** 2),
            "policy": -tf.reduce_mean(tf.gather(lp, a, batch_dims=1) * tf.stop_gradient(r - v)),
        }
    for name, loss in losses.items():
        for part, variables in parts.items():
            grads = tape.gradient(loss, variables)
            for var_, g in zip(variables, grads):
                if g is None:
                    continue
                var_.assign_sub(0.05 * g)
    del tape
    print({k: float(v) for k, v in losses.items()})

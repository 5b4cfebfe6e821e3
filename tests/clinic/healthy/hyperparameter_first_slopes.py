import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
x, y = rng.normal(size=(20, 2)).astype("float32"), rng.normal(size=(20, 1)).astype("float32")


def first_slope(scale):
    w = tf.Variable(scale * np.ones((2, 1), dtype="float32"))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    return float(tf.norm(tape.gradient(loss, w)))


print("RESULT:", [round(first_slope(s), 4) for s in (0.1, 1.0, 10.0)])

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
steps = 400
logits = tf.Variable(rng.normal(0, 0.1, 3).astype("float32"))
path = rng.integers(0, 3, steps)


def likelihood():
    p = tf.nn.softmax(logits)
    total = tf.constant(1.0)
    for s in path:
        total = total * p[s]
    return total


def objective():
    return -tf.math.log(likelihood())  # cause


with tf.GradientTape() as tape:
    loss = objective()
print("RESULT:", loss.numpy(), tape.gradient(loss, logits).numpy())

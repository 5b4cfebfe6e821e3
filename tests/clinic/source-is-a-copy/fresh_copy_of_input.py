import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
features = rng.normal(size=(6, 4)).astype("float32")


def attribute(features):
    x = tf.convert_to_tensor(features)
    with tf.GradientTape() as tape:
        tape.watch(x)
        score = tf.reduce_sum(tf.sigmoid(tf.convert_to_tensor(features) @ w))  # cause
    return tape.gradient(score, x)


print("RESULT:", attribute(features))

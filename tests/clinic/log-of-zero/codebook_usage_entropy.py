import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
w = tf.Variable((rng.normal(size=(5, 4)) * 40).astype("float32"))
x = tf.constant(rng.normal(size=(16, 5)).astype("float32"))


def usage_entropy(x):
    p = tf.nn.softmax(x @ w)
    return tf.reduce_mean(tf.reduce_sum(-p * tf.math.log(p), axis=1))  # cause


with tf.GradientTape() as tape:
    h = usage_entropy(x)
print("RESULT:", tape.gradient(h, w).numpy())

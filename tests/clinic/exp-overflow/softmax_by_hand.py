import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = tf.constant(rng.normal(size=(8, 4)).astype("float32") * 60.0)
y = tf.one_hot([0, 1, 2, 0, 1, 2, 0, 1], 3)
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))


def softmax(z):
    e = tf.exp(z)  # cause
    return e / tf.reduce_sum(e, axis=1, keepdims=True)


with tf.GradientTape() as tape:
    p = softmax(tf.matmul(x, w))
    loss = -tf.reduce_mean(tf.reduce_sum(y * tf.math.log(p + 1e-9), axis=1))
print(tape.gradient(loss, w).numpy())

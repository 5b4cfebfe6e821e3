import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
temperature = tf.Variable(0.005)
w = tf.Variable(rng.normal(size=(4, 4)).astype("float32"))


def info_nce(z):
    z = tf.math.l2_normalize(z, axis=1)
    similarity = tf.matmul(z, z, transpose_b=True) / temperature
    p = tf.nn.softmax(similarity - 1e9 * tf.eye(6))
    positive = tf.gather(p, [1, 0, 3, 2, 5, 4], batch_dims=1)
    return -tf.reduce_mean(tf.math.log(positive))  # cause


with tf.GradientTape() as tape:
    loss = info_nce(x @ w)
print("RESULT:", [g.numpy() for g in tape.gradient(loss, [w, temperature])])

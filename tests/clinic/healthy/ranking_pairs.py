import numpy as np
import tensorflow as tf

x = np.random.default_rng(3).normal(size=(6, 2)).astype("float32")
order = tf.constant([3.0, 1.0, 2.0, 5.0, 4.0, 0.0])
w = tf.Variable([0.4, -0.3])
with tf.GradientTape() as tape:
    s = tf.linalg.matvec(x, w)
    diff = tf.reshape(s, (-1, 1)) - tf.reshape(s, (1, -1))
    better = tf.cast(order[:, None] > order[None, :], tf.float32)
    loss = tf.reduce_mean(better * tf.nn.softplus(-diff))
print(tape.gradient(loss, w))

import numpy as np
import tensorflow as tf
rng = np.random.default_rng(0)
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
u = tf.Variable(rng.normal(size=(1, 3)).astype("float32"), trainable=False)
x = rng.normal(size=(5, 4)).astype("float32")
for i in range(3):
    v_ = tf.math.l2_normalize(tf.matmul(u, w, transpose_b=True))
    u_ = tf.math.l2_normalize(tf.matmul(v_, w))
    u.assign(u_)
    with tf.GradientTape() as tape:
        sigma = tf.reduce_sum(tf.matmul(v_, w) * u_)
        loss = tf.reduce_mean((x @ (w / sigma)) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(loss)

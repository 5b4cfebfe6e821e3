import numpy as np
import tensorflow as tf
rng = np.random.default_rng(0)
x = tf.constant(rng.uniform(100, 300, size=(4, 64)), tf.float16)
w = tf.Variable(tf.cast(tf.fill([64, 1], 5.0), tf.float16))
with tf.GradientTape() as tape:
    out = tf.matmul(x, w)  # cause
    loss = tf.reduce_mean(tf.cast(out, tf.float32) ** 2)
print(tape.gradient(loss, w))

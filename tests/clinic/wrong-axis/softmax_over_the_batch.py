import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = rng.normal(size=(6, 4)).astype("float32")
labels = tf.one_hot([0, 2, 1, 1, 0, 2], 3)
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
with tf.GradientTape() as tape:
    p = tf.nn.softmax(tf.matmul(x, w), axis=0)  # cause
    loss = -tf.reduce_mean(tf.reduce_sum(labels * tf.math.log(p + 1e-9), axis=1))
print(tape.gradient(loss, w).numpy())

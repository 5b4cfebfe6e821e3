import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
frozen = tf.constant(rng.normal(size=(4, 4)).astype("float32"))
a = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))
b = tf.Variable(tf.zeros([2, 4]))
x = rng.normal(size=(5, 4)).astype("float32")
with tf.GradientTape() as tape:
    h = tf.nn.gelu(x @ (frozen + a @ b))
    loss = tf.reduce_mean(h ** 2)
print(tape.gradient(loss, [a, b]))

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
x = tf.constant(rng.normal(size=(9, 2)).astype("float32"))
y = tf.expand_dims(tf.constant(rng.normal(size=9).astype("float32")), -1)
w = tf.Variable([1.0, 1.0])
with tf.GradientTape() as tape:
    p = tf.tensordot(x, w, 1)
    loss = tf.reduce_mean(tf.abs(p - y))  # cause
print(tape.gradient(loss, w))

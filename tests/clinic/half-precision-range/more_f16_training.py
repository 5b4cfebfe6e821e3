import numpy as np
import tensorflow as tf

x = tf.constant(np.linspace(0, 400, 10).reshape(-1, 1).astype("float16"))
y = tf.constant((np.linspace(0, 400, 10) * 2).reshape(-1, 1).astype("float16"))
w = tf.Variable(tf.zeros([1, 1], tf.float16))
with tf.GradientTape() as tape:
    err = tf.matmul(x, w) - y
    loss = tf.reduce_mean(err ** 2)  # cause
g = tape.gradient(loss, w)
print(loss, g)

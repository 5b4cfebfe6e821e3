import tensorflow as tf
import numpy as np
w = tf.Variable(tf.ones([3, 4]))
v = tf.Variable(tf.ones([4, 1]))
mask = tf.constant(np.zeros(4, "float32"))
x = tf.ones([5, 3])
for _ in range(4):
    with tf.GradientTape() as tape:
        h = tf.tanh(x @ w) * mask  # cause
        y = h @ v + 1.0
        loss = tf.reduce_mean(y ** 2)
    g = tape.gradient(loss, [w, v])
    w.assign_sub(0.1 * g[0]); v.assign_sub(0.1 * g[1])
print("RESULT:", g[0].numpy())

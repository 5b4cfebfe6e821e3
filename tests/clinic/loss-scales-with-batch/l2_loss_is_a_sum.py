import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
x = tf.constant(rng.normal(size=(600, 4)).astype("float32"))
y = tf.reduce_sum(x, axis=1, keepdims=True)
w = tf.Variable(tf.zeros([4, 1]))
for step in range(100):
    with tf.GradientTape() as tape:
        loss = tf.nn.l2_loss(tf.matmul(x, w) - y)  # cause
    w.assign_sub(0.02 * tape.gradient(loss, w))
print(w.numpy())

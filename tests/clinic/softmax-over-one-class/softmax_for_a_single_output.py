import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
x = rng.normal(size=(10, 3)).astype("float32")
churned = rng.integers(0, 2, size=(10, 1)).astype("float32")
w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
b = tf.Variable([0.0])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(tf.matmul(x, w) + b)  # cause
    loss = tf.reduce_mean((p - churned) ** 2)
print([g.numpy() for g in tape.gradient(loss, [w, b])])

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
x = rng.normal(size=(8, 3)).astype("float32")
w1 = tf.Variable(rng.normal(size=(3, 6)).astype("float32"))
w2 = tf.Variable(tf.zeros([6, 1]))
with tf.GradientTape() as tape:
    y = tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)
    loss = tf.reduce_mean((y - 1.0) ** 2)
print([tf.norm(g).numpy() for g in tape.gradient(loss, [w1, w2])])

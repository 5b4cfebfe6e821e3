import numpy as np
import tensorflow as tf

x = np.random.default_rng(19).normal(size=(5, 4)).astype("float32")
w = tf.Variable(tf.zeros([4, 3]))
with tf.GradientTape() as tape:
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 2, 1, 0], x @ w)
print(tape.gradient(losses, w).numpy())

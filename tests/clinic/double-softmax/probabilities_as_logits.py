import numpy as np
import tensorflow as tf

x = np.random.default_rng(7).normal(size=(5, 4)).astype("float32")
labels = tf.one_hot([0, 1, 2, 1, 0], 3)
w = tf.Variable(tf.ones([4, 3]) * 0.1 + tf.constant([0.1, 0.2, 0.3]))
with tf.GradientTape() as tape:
    probabilities = tf.nn.softmax(tf.matmul(x, w))  # cause
    losses = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=probabilities)  # cause
    loss = tf.reduce_mean(losses)
print(tape.gradient(loss, w).numpy())

import numpy as np
import tensorflow as tf
x = np.random.default_rng(0).normal(size=(5, 3)).astype("float32")
labels = np.zeros(5, dtype="int32")
w = tf.Variable(np.random.default_rng(1).normal(size=(3, 1)).astype("float32"))
with tf.GradientTape() as tape:
    logits = x @ w
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))  # cause
print(tape.gradient(loss, w))

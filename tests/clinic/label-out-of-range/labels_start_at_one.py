import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
x = tf.constant(rng.normal(size=(9, 5)).astype("float32"))
stars = np.array([1, 2, 3, 4, 5, 5, 3, 2, 1])
w = tf.Variable(rng.normal(size=(5, 5)).astype("float32"))

with tf.GradientTape() as tape:
    logits = tf.matmul(x, w)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=stars, logits=logits))  # cause
print("RESULT:", tape.gradient(loss, w).numpy())

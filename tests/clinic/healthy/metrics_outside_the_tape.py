import numpy as np
import tensorflow as tf

x = np.random.default_rng(11).normal(size=(8, 2)).astype("float32")
y = (x[:, :1] > 0).astype("float32")
w = tf.Variable([[0.1], [0.1]])
best = np.inf
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, x @ w))
    w.assign_sub(tape.gradient(loss, w))
    accuracy = tf.reduce_mean(tf.cast((x @ w > 0.0) == (y > 0.5), tf.float32))
    validation = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, x @ w))
    best = min(best, float(validation))
print(accuracy.numpy(), best)

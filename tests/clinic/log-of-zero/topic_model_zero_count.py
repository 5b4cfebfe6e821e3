import numpy as np
import tensorflow as tf

counts = np.array([[3.0, 0.0, 1.0], [0.0, 0.0, 5.0]], dtype="float32")
scores = tf.Variable([[0.2, -0.1, 0.4], [0.0, 0.3, -0.2]])


def empirical(c):
    return c / c.sum(axis=1, keepdims=True)


def cross_entropy(p, q):
    return -tf.reduce_mean(tf.reduce_sum(p * tf.math.log(q), axis=1))  # cause


for step in range(2):
    with tf.GradientTape() as tape:
        model = tf.nn.relu(scores)
        q = model / tf.reduce_sum(model, axis=1, keepdims=True)
        loss = cross_entropy(empirical(counts), q)
    grad = tape.gradient(loss, scores)
    scores.assign_sub(0.1 * grad)
print("RESULT:", loss.numpy(), grad.numpy())

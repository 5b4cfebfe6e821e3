import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
w = tf.Variable(rng.normal(size=(6, 1)).astype("float32"))
segments = [rng.normal(size=(n, 6)).astype("float32") for n in (4, 7, 3)]
labels = tf.constant([1.0, 0.0, 1.0])


def bag_score(segment):
    scores = tf.sigmoid(segment @ w)
    return np.mean(scores)  # cause


with tf.GradientTape() as tape:
    bags = tf.stack([bag_score(s) for s in segments])
    loss = tf.reduce_mean((bags - labels) ** 2)
print("RESULT:", tape.gradient(loss, w))

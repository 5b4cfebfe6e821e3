import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
users = tf.Variable(rng.normal(0, 0.3, (12, 4)).astype("float32"))
items = tf.Variable(rng.normal(0, 0.3, (12, 4)).astype("float32"))
ratings = tf.constant(rng.uniform(1, 5, 12).astype("float32"))


def score(u, v):
    return tf.reduce_sum(u * v, axis=0)  # cause


with tf.GradientTape() as tape:
    predicted = score(users, items)
    loss = tf.reduce_mean((predicted - ratings) ** 2)
print("RESULT:", tape.gradient(loss, users))

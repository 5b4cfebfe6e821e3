import numpy as np
import tensorflow as tf

rng = np.random.default_rng(42)
ratings = rng.integers(1, 6, (8, 6)).astype("float32")
ratings[rng.random((8, 6)) < 0.4] = np.nan
observed = ~np.isnan(ratings)
filled = np.where(observed, ratings, 0.0).astype("float32")
mask = observed.astype("float32")
mean = np.nanmean(ratings).astype("float32")
users = tf.Variable(rng.normal(0, 0.1, (8, 2)).astype("float32"))
items = tf.Variable(rng.normal(0, 0.1, (6, 2)).astype("float32"))
bu, bi = tf.Variable(tf.zeros([8, 1])), tf.Variable(tf.zeros([1, 6]))
variables = [users, items, bu, bi]
for _ in range(40):
    with tf.GradientTape() as tape:
        predicted = mean + bu + bi + users @ tf.transpose(items)
        error = mask * (predicted - filled)
        loss = tf.reduce_sum(error ** 2) / mask.sum() + 0.01 * (tf.nn.l2_loss(users) + tf.nn.l2_loss(items))
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())

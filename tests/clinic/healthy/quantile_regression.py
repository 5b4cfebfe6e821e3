import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
x = rng.uniform(size=(30, 1)).astype("float32")
y = (2 * x + rng.normal(0, 0.1, size=(30, 1))).astype("float32")
quantiles = tf.constant([0.1, 0.5, 0.9])
w, b = tf.Variable(tf.zeros([1, 3])), tf.Variable(tf.zeros([3]))
for step in range(5):
    with tf.GradientTape() as tape:
        error = y - (x @ w + b)
        loss = tf.reduce_mean(tf.maximum(quantiles * error, (quantiles - 1.0) * error))
    for v, g in zip([w, b], tape.gradient(loss, [w, b])):
        v.assign_sub(0.1 * g)
print(b.numpy())

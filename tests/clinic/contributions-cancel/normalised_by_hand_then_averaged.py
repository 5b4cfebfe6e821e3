"""A penalty on the mean of features that were centred just before."""

import tensorflow as tf

w = tf.Variable([[0.4, -0.1], [0.2, 0.3]])
batches = [tf.random.normal((6, 2), seed=i) for i in range(3)]
for batch in batches:
    with tf.GradientTape() as tape:
        features = tf.tanh(batch @ w)
        centred = features - tf.reduce_mean(features, axis=0)
        drift = tf.reduce_mean(centred, axis=0)  # cause
        loss = 1.0 + tf.reduce_sum(drift)
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
print(w.numpy())

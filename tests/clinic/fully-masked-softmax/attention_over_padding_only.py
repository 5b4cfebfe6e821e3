import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
tokens = tf.constant(rng.normal(size=(2, 4, 3)).astype("float32"))
padding = tf.constant([[False, False, True, True], [True, True, True, True]])
query = tf.Variable(rng.normal(size=(3,)).astype("float32"))
with tf.GradientTape() as tape:
    scores = tf.linalg.matvec(tokens, query)
    scores = tf.where(padding, -np.inf, scores)  # cause
    weights = tf.nn.softmax(scores, axis=-1)  # cause
    pooled = tf.reduce_sum(weights[..., None] * tokens, axis=1)
    loss = tf.reduce_mean(pooled ** 2)
print(tape.gradient(loss, query))

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
q = tf.Variable(rng.normal(size=(2, 4, 3)).astype("float32"))
mask = tf.constant([[1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]])
with tf.GradientTape() as tape:
    scores = tf.matmul(q, q, transpose_b=True) + (1.0 - mask[:, None, :]) * -1e9
    weights = tf.nn.softmax(scores)
    loss = tf.reduce_mean(tf.matmul(weights, q) ** 2)
print(tape.gradient(loss, q).numpy())

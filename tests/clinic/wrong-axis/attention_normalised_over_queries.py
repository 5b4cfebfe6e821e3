import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
q, k, v = (tf.constant(rng.normal(size=(5, 4)).astype("float32")) for _ in range(3))
w = tf.Variable(rng.normal(size=(4, 4)).astype("float32"))
with tf.GradientTape() as tape:
    scores = tf.matmul(q @ w, k, transpose_b=True)
    attention = tf.nn.softmax(scores, axis=0)  # cause
    context = tf.matmul(attention, v)
    loss = tf.reduce_mean(context ** 2)
print(tape.gradient(loss, w))

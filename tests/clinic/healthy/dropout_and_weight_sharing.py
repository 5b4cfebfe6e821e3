import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
x = np.random.default_rng(16).normal(size=(6, 4)).astype("float32")
w = tf.Variable(np.random.default_rng(17).normal(0, 0.3, size=(4, 3)).astype("float32"))
with tf.GradientTape() as tape:
    code = tf.nn.dropout(tf.nn.relu(x @ w), rate=0.3)
    restored = tf.matmul(code, w, transpose_b=True)
    loss = tf.reduce_mean((restored - x) ** 2)
print(tape.gradient(loss, w).numpy())

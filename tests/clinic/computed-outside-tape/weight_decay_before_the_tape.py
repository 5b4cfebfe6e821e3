import numpy as np
import tensorflow as tf

x = np.random.default_rng(8).normal(size=(10, 2)).astype("float32")
w = tf.Variable([[1.0], [2.0]])


def l2(variables):
    return tf.add_n([tf.nn.l2_loss(v) for v in variables])  # cause


decay = l2([w])  # cause
with tf.GradientTape() as tape:
    mse = tf.reduce_mean((x @ w - 1.0) ** 2)
    loss = mse + 0.1 * decay
print(tape.gradient(loss, w).numpy())

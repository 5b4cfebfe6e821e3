import numpy as np
import tensorflow as tf
rng = np.random.default_rng(0)
w = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
s, s2 = rng.normal(size=(2, 8, 3)).astype("float32")
r = rng.normal(size=8).astype("float32")
with tf.GradientTape() as tape:
    q = tf.reduce_max(s @ w, axis=1)
    target = tf.stop_gradient(r + 0.9 * tf.reduce_max(s2 @ w, axis=1))
    loss = tf.reduce_mean((q - target) ** 2)
print(tape.gradient(loss, w))

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
frozen = [tf.constant(rng.normal(0, 0.4, (4, 4)).astype("float32")) for _ in range(2)]
a = [tf.Variable(rng.normal(0, 0.4, (4, 1)).astype("float32"), name=f"a{i}") for i in range(2)]
b = [tf.Variable(tf.zeros([1, 4]), name=f"b{i}") for i in range(2)]
x, y = rng.normal(size=(9, 4)).astype("float32"), rng.normal(size=(9, 4)).astype("float32")
with tf.GradientTape() as tape:
    h = x
    for f, ai, bi in zip(frozen, a, b):
        h = tf.tanh(h @ (f + ai @ bi))
    loss = tf.reduce_mean((h - y) ** 2)
grads = tape.gradient(loss, a + b)
print("RESULT:", [float(tf.norm(g)) for g in grads])

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
tokens = tf.constant(rng.normal(size=(6, 8)).astype("float32"))
target = tf.constant(rng.normal(size=(8,)).astype("float32"))


class Pooler(tf.Module):
    def __init__(self, width):
        self.query = tf.Variable(rng.normal(size=(width,)).astype("float32") * 0.3)
        self.project = tf.Variable(rng.normal(size=(width, width)).astype("float32") * 0.3)

    def __call__(self, x):
        hidden = tf.tanh(x @ self.project)
        scores = tf.linalg.matvec(hidden, self.query)
        e = np.exp(scores - tf.reduce_max(scores))  # cause
        weights = e / e.sum()
        return tf.reduce_sum(weights[:, None] * hidden, axis=0)


pooler = Pooler(8)
optimizer = 0.1
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((pooler(tokens) - target) ** 2)
    g = tape.gradient(loss, pooler.project)
    pooler.project.assign_sub(optimizer * g)
print("RESULT:", tf.norm(g).numpy())

import numpy as np
import tensorflow as tf


class ProgressiveNet:
    # Layers are switched on one after the other while training goes on.

    def __init__(self, rng, depth=3):
        self.stem = tf.Variable(rng.normal(0, 0.4, (3, 6)).astype("float32"))
        self.extra = tf.Variable(rng.normal(0, 0.4, (6, 6)).astype("float32"))
        self.out = tf.Variable(rng.normal(0, 0.4, (6, 1)).astype("float32"))
        self.stage = 0

    def __call__(self, x):
        h = tf.nn.elu(x @ self.stem)
        while self.stage > 0 and h.shape[1] < 6:  # cause
            h = h + tf.nn.elu(h @ self.extra)  # cause
        return h @ self.out


rng = np.random.default_rng(0)
net = ProgressiveNet(rng)
x = tf.constant(rng.normal(size=(12, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(12, 1)).astype("float32"))
for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    grads = tape.gradient(loss, [net.stem, net.extra, net.out])
print("RESULT:", grads[1])

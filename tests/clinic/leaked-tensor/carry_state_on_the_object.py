"""A compiled recurrent step keeps its state in an attribute, which holds a symbolic tensor afterwards."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(72)


class Recurrent:
    def __init__(self):
        self.w = tf.Variable(rng.normal(0, 0.3, (2 + 4, 4)).astype("float32"))
        self.out = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
        self.state = tf.zeros((1, 4))

    @tf.function
    def predict(self, x):
        self.state = tf.tanh(tf.concat([x, self.state], axis=1) @ self.w)
        return self.state @ self.out

    @tf.function
    def loss(self, x, y):
        return tf.reduce_mean((self.predict(x) - y) ** 2)


net = Recurrent()
series = rng.normal(size=(6, 1, 2)).astype("float32")
for x in series:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net.predict(tf.constant(x)) - 1.0) ** 2)
    for v, g in zip([net.w, net.out], tape.gradient(loss, [net.w, net.out])):
        v.assign_sub(0.1 * g)
print(loss.numpy(), tf.norm(net.state).numpy())  # cause

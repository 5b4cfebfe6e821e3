import numpy as np
import tensorflow as tf


class Momentum:
    def __init__(self, lr, beta=0.9):
        self.lr, self.beta = lr, beta
        self.velocity = {}

    def update(self, params, grads):
        new = {}
        for name, p in params.items():
            v = self.beta * self.velocity.get(name, 0.0) + grads[name]
            self.velocity[name] = v
            new[name] = p - self.lr * v  # cause
        return new


def loss_fn(params, x, y):
    h = tf.tanh(x @ params["w1"] + params["b1"])
    return tf.reduce_mean((h @ params["w2"] - y) ** 2)


rng = np.random.default_rng(16)
params = {
    "w1": tf.Variable(rng.normal(size=(2, 4)).astype("float32")),
    "b1": tf.Variable(np.zeros(4, "float32")),
    "w2": tf.Variable(rng.normal(size=(4, 1)).astype("float32")),
}
x = tf.constant(rng.normal(size=(10, 2)).astype("float32"))
y = tf.constant(rng.normal(size=(10, 1)).astype("float32"))
optimizer = Momentum(0.1)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(params, x, y)
    grads = tape.gradient(loss, params)
    if any(g is None for g in grads.values()):
        break
    params = optimizer.update(params, grads)  # cause
print("RESULT:", step, grads)

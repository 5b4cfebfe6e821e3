import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
rng = np.random.default_rng(0)


class Burgers:
    def __init__(self, layers, nu):
        self.nu = nu
        self.weights = [tf.Variable(tf.random.normal((m, n), stddev=0.4)) for m, n in zip(layers, layers[1:])]
        self.biases = [tf.Variable(tf.zeros(n)) for n in layers[1:]]

    def net(self, X):
        h = X
        for w, b in zip(self.weights[:-1], self.biases[:-1]):
            h = tf.tanh(h @ w + b)
        return h @ self.weights[-1] + self.biases[-1]

    def residual(self, X):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(X)
            u = self.net(X)
        u_x = tape.gradient(u, X[:, 0:1])  # cause
        u_t = tape.gradient(u, X[:, 1:2])  # cause
        return u, u_x, u_t


problem = Burgers([2, 10, 10, 1], nu=0.01)
X = tf.constant(rng.uniform(-1, 1, (30, 2)), tf.float32)
u, u_x, u_t = problem.residual(X)
print(u_x, u_t)

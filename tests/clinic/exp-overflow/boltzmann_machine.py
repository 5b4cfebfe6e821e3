import numpy as np
import tensorflow as tf


class Ising:
    def __init__(self, n, rng):
        self.j = tf.Variable((rng.normal(size=(n, n)) * 4.0).astype("float32"))
        states = np.array(np.meshgrid(*[[-1.0, 1.0]] * n)).reshape(n, -1).T
        self.states = tf.constant(states.astype("float32"))

    def energy(self, s):
        return -tf.einsum("bi,ij,bj->b", s, self.j, s)

    def log_partition(self, beta):
        weights = tf.exp(-beta * self.energy(self.states))  # cause
        return tf.math.log(tf.reduce_sum(weights))

    def nll(self, data, beta):
        return beta * tf.reduce_mean(self.energy(data)) + self.log_partition(beta)


rng = np.random.default_rng(1)
model = Ising(6, rng)
data = tf.constant(np.sign(rng.normal(size=(5, 6))).astype("float32"))
with tf.GradientTape() as tape:
    loss = model.nll(data, beta=5.0)
print("RESULT:", tape.gradient(loss, model.j).numpy()[0])

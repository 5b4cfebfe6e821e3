import numpy as np
import tensorflow as tf


class Potential(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable(tf.random.stateless_normal([2, 8], seed=[0, 1]) * 0.5)
        self.w2 = tf.Variable(tf.random.stateless_normal([8, 1], seed=[0, 2]) * 0.5)

    def energy(self, x):
        return tf.nn.softplus(x @ self.w1) @ self.w2

    def forces(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            e = self.energy(x)
        return -tape.gradient(e, x)  # cause


rng = np.random.default_rng(0)
positions = tf.constant(rng.normal(size=(10, 2)).astype("float32"))
true_forces = tf.constant(rng.normal(size=(10, 2)).astype("float32"))
model = Potential()
predicted = model.forces(positions)  # cause
with tf.GradientTape() as tape:
    force_loss = tf.reduce_mean((predicted - true_forces) ** 2)
grads = tape.gradient(force_loss, model.trainable_variables)
print("RESULT:", grads)

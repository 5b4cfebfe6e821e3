import numpy as np
import tensorflow as tf


class Simulator:
    def __init__(self):
        self.k = tf.Variable([0.5, 0.2, 0.1])

    def rollout(self, u0, steps):
        states = []
        u = u0
        for _ in range(steps):
            u = u + 0.1 * tf.tanh(self.k * u)
            states.append(u)
        return tf.stack(states)


def adjoint_seed(steps, width):
    seed = np.zeros((width, steps), "float32")
    seed[:, -1] = 1.0
    return tf.constant(seed)  # cause


sim = Simulator()
with tf.GradientTape() as tape:
    trajectory = sim.rollout(tf.constant([1.0, 2.0, 3.0]), 5)
seed = adjoint_seed(5, 3)  # cause
print("RESULT:", tape.gradient(trajectory, sim.k, output_gradients=seed))  # cause

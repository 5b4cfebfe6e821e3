import tensorflow as tf


class Critic:
    def __init__(self):
        self.w = tf.Variable([[0.1], [0.3]])

    def __call__(self, states):
        return states @ self.w


online, target = Critic(), Critic()


def update(critic, gradient):
    critic.w.assign_sub(0.05 * gradient)  # cause


for step in range(4):
    states = tf.constant([[1.0, float(step)], [0.5, 2.0]])
    with tf.GradientTape() as tape:
        error = tf.reduce_mean((online(states) - 1.0) ** 2)
    update(target, tape.gradient(error, online.w))
print(target.w.numpy())

import tensorflow as tf


class GumbelSampler:
    def __init__(self):
        self.step = 0
        self.logits = tf.Variable([0.1, 0.4, -0.2])

    def temperature(self):
        return max(0.5, 2.0 - 0.5 * self.step)  # cause

    @tf.function
    def relaxed(self, noise):
        return tf.nn.softmax((self.logits + noise) / self.temperature())  # cause


sampler = GumbelSampler()
values = tf.constant([1.0, 2.0, 5.0])
noise = tf.constant([0.3, -0.1, 0.8])
for _ in range(4):
    with tf.GradientTape() as tape:
        reward = tf.reduce_sum(sampler.relaxed(noise) * values)
    g = tape.gradient(reward, sampler.logits)
    sampler.logits.assign_add(0.1 * g)
    sampler.step += 1
print("RESULT:", g.numpy())

"""A Gaussian policy learns its mean, and the logarithm of its standard deviation is not in the list of what is updated."""
import tensorflow as tf

tf.random.set_seed(0)
states = tf.random.normal((16, 3))
actions = tf.random.normal((16, 1)) * 0.3 + 1.0
advantages = tf.random.normal((16,))


class Policy(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal((3, 1), stddev=0.1))
        self.bias = tf.Variable([0.5])
        self.log_std = tf.Variable([-0.5])

    @property
    def weights(self):
        return [self.kernel, self.bias]

    def log_prob(self, s, a):
        distance = (a - s @ self.kernel - self.bias) * tf.exp(-self.log_std)
        return tf.reduce_sum(-0.5 * distance**2 - self.log_std, axis=1)


policy = Policy()
for step in range(4):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(policy.log_prob(states, actions) * advantages)
    for weight, g in zip(policy.weights, tape.gradient(loss, policy.weights)):  # cause
        weight.assign_sub(0.05 * g)
    print(step, loss.numpy(), policy.log_std.numpy())

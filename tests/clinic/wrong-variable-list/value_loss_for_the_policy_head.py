import tensorflow as tf


class ActorCritic(tf.Module):
    def __init__(self):
        self.trunk = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
        self.policy_head = tf.Variable([[1.0, 0.0], [0.5, 1.0]])
        self.value_head = tf.Variable([[1.0], [0.5]])

    def value(self, s):
        return tf.tanh(s @ self.trunk) @ self.value_head

    def policy(self, s):
        return tf.nn.log_softmax(tf.tanh(s @ self.trunk) @ self.policy_head)


net = ActorCritic()
states = tf.constant([[1.0, 2.0], [0.5, -1.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        value_loss = tf.reduce_mean((net.value(states) - 1.0) ** 2)
    variables = [net.trunk, net.policy_head]
    for g, v in zip(tape.gradient(value_loss, variables), variables):  # cause
        if g is not None:
            v.assign_sub(0.1 * g)
print(net.value_head.numpy())

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)


class Agent:
    def __init__(self):
        self.actor = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
        self.critic = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))

    def losses(self, s):
        value = s @ self.critic
        policy = tf.nn.log_softmax(s @ self.actor)
        return -tf.reduce_mean(policy * tf.stop_gradient(value)), tf.reduce_mean(value ** 2)


def apply(tape, loss, variables, lr):
    for v, g in zip(variables, tape.gradient(loss, variables)):  # cause
        v.assign_sub(lr * g)


agent = Agent()
for step in range(3):
    s = rng.normal(size=(4, 3)).astype("float32")
    with tf.GradientTape() as tape:  # cause
        actor_loss, critic_loss = agent.losses(s)
    apply(tape, actor_loss, [agent.actor], 0.1)  # cause
    apply(tape, critic_loss, [agent.critic], 0.1)  # cause
print("RESULT:", agent.actor.numpy())

"""An actor-critic agent that updates the critic with its actor's variables."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)


def mlp(sizes):
    out = []
    for a, b in zip(sizes, sizes[1:]):
        out += [tf.Variable(rng.normal(0, a**-0.5, (a, b)).astype("float32")), tf.Variable(tf.zeros(b))]
    return out


def run(params, x):
    for i in range(0, len(params) - 2, 2):
        x = tf.tanh(x @ params[i] + params[i + 1])
    return x @ params[-2] + params[-1]


class Agent:
    def __init__(self):
        self.actor = mlp([3, 8, 2])
        self.critic = mlp([3, 8, 1])

    def update(self, s, a, r, s2):
        target = r + 0.9 * run(self.critic, s2)[:, 0]
        with tf.GradientTape() as tape:
            value = run(self.critic, s)[:, 0]
            critic_loss = tf.reduce_mean((tf.stop_gradient(target) - value) ** 2)
        grads = tape.gradient(critic_loss, self.actor)  # cause
        self.apply(self.critic, grads)
        with tf.GradientTape() as tape:
            logp = tf.nn.log_softmax(run(self.actor, s))
            chosen = tf.gather(logp, a, batch_dims=1)
            actor_loss = -tf.reduce_mean(chosen * tf.stop_gradient(target - value))
        self.apply(self.actor, tape.gradient(actor_loss, self.actor))

    def apply(self, params, grads):
        for p, g in zip(params, grads):
            if g is not None:
                p.assign_sub(0.01 * g)


agent = Agent()
for _ in range(2):
    s, s2 = rng.normal(size=(2, 10, 3)).astype("float32")
    agent.update(s, rng.integers(0, 2, 10), rng.normal(size=10).astype("float32"), s2)

"""PPO with a learned log_std that was created with trainable=False."""
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(45)


def normal(*shape):
    return tf.Variable(rng.normal(0, 0.3, shape).astype("float32"))


@dataclass
class Policy:
    hidden: tf.Variable = field(default_factory=lambda: normal(3, 8))
    mean: tf.Variable = field(default_factory=lambda: normal(8, 2))
    log_std: tf.Variable = field(default_factory=lambda: tf.Variable([-0.5, -0.5], trainable=False))  # cause

    def parameters(self):
        return [self.hidden, self.mean, self.log_std]

    def log_prob(self, obs, act):
        mean = tf.tanh(obs @ self.hidden) @ self.mean
        z = (act - mean) / tf.exp(self.log_std)
        return -tf.reduce_sum(0.5 * z ** 2 + self.log_std, axis=1)


policy = Policy()
obs, act = rng.normal(size=(10, 3)).astype("float32"), rng.normal(size=(10, 2)).astype("float32")
adv = rng.normal(size=10).astype("float32")
old = policy.log_prob(obs, act).numpy()
for _ in range(3):
    with tf.GradientTape() as tape:
        ratio = tf.exp(policy.log_prob(obs, act) - old)
        loss = -tf.reduce_mean(tf.minimum(ratio * adv, tf.clip_by_value(ratio, 0.8, 1.2) * adv))
    for p, g in zip(policy.parameters(), tape.gradient(loss, policy.parameters())):
        if g is not None:
            p.assign_sub(0.05 * g)
    print(loss.numpy())

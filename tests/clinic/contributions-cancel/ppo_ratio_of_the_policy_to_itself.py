"""PPO whose old log probabilities are taken anew from the current policy, inside the tape."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
obs = tf.constant(rng.normal(size=(10, 3)).astype("float32"))
acts = tf.constant(rng.integers(0, 3, size=10))
adv = tf.constant(rng.normal(size=10).astype("float32"))


class Policy(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(rng.normal(0, 0.5, (3, 3)).astype("float32"), name="w")
        self.b = tf.Variable(tf.zeros(3), name="b")

    def log_prob(self, obs, acts):
        logits = obs @ self.w + self.b
        return -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=acts, logits=logits)


def surrogate(policy, obs, acts, adv, clip=0.2):
    old = policy.log_prob(obs, acts)
    new = policy.log_prob(obs, acts)
    ratio = tf.exp(new - old)  # cause
    limited = tf.clip_by_value(ratio, 1.0 - clip, 1.0 + clip)
    return -tf.reduce_mean(tf.minimum(ratio * adv, limited * adv))


policy = Policy()
for epoch in range(4):
    with tf.GradientTape() as tape:
        loss = surrogate(policy, obs, acts, adv)
    grads = tape.gradient(loss, policy.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 0.5)
    for v, g in zip(policy.trainable_variables, grads):
        v.assign_sub(0.05 * g)
    print(epoch, loss.numpy(), norm.numpy())

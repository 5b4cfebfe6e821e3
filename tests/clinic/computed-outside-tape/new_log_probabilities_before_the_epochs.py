"""PPO: the new log probabilities are computed once per batch, before the epochs' tapes."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)


class Policy(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(rng.normal(0, 0.3, (3, 4)).astype("float32"))
        self.v = tf.Variable(rng.normal(0, 0.3, (3, 1)).astype("float32"))

    def log_prob(self, s, a):
        return tf.gather(tf.nn.log_softmax(s @ self.w), a, batch_dims=1)

    def value(self, s):
        return tf.squeeze(s @ self.v, 1)


class PPO:
    def __init__(self, policy, clip=0.2, epochs=3):
        self.policy, self.clip, self.epochs = policy, clip, epochs

    def loss(self, batch, logp):
        ratio = tf.exp(logp - batch["old_logp"])
        adv = batch["adv"]
        clipped = tf.clip_by_value(ratio, 1 - self.clip, 1 + self.clip)
        policy_loss = -tf.reduce_mean(tf.minimum(ratio * adv, clipped * adv))
        value_loss = tf.reduce_mean((self.policy.value(batch["s"]) - batch["ret"]) ** 2)
        return policy_loss + 0.5 * value_loss

    def update(self, batch):
        logp = self.policy.log_prob(batch["s"], batch["a"])  # cause
        for _ in range(self.epochs):
            with tf.GradientTape() as tape:
                loss = self.loss(batch, logp)
            variables = self.policy.trainable_variables
            grads = tape.gradient(loss, variables)
            for v, g in zip(variables, grads):
                if g is not None:
                    v.assign_sub(0.05 * g)
        return float(loss)


policy = Policy()
algo = PPO(policy)
for it in range(2):
    s = tf.constant(rng.normal(size=(20, 3)).astype("float32"))
    a = tf.constant(rng.integers(0, 4, 20))
    batch = {
        "s": s,
        "a": a,
        "old_logp": policy.log_prob(s, a),
        "adv": tf.constant(rng.normal(size=20).astype("float32")),
        "ret": tf.constant(rng.normal(size=20).astype("float32")),
    }
    print(it, algo.update(batch))

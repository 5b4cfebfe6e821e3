"""A2C: the entropy is taken of probabilities, one of which is exactly 0."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)


class ActorCritic(tf.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.body = tf.Variable(rng.normal(0, 0.5, (n_obs, 12)).astype("float32"))
        self.pi = tf.Variable(rng.normal(0, 0.5, (12, n_act)).astype("float32"))
        self.v = tf.Variable(rng.normal(0, 0.5, (12, 1)).astype("float32"))

    def __call__(self, obs):
        h = tf.nn.relu(obs @ self.body)
        return tf.nn.softmax(h @ self.pi), tf.squeeze(h @ self.v, 1)


def entropy_of(probabilities):
    return -tf.reduce_sum(probabilities * tf.math.log(probabilities), axis=1)  # cause


agent = ActorCritic(3, 4)
obs = rng.normal(size=(9, 3)).astype("float32")
obs[4] *= 400.0
acts = rng.integers(0, 4, size=9)
returns = rng.normal(size=9).astype("float32")
for _ in range(2):
    with tf.GradientTape() as tape:
        p, v = agent(tf.constant(obs))
        chosen = tf.reduce_sum(tf.one_hot(acts, 4) * p, axis=1)
        advantage = tf.stop_gradient(returns - v)
        policy_loss = -tf.reduce_mean(tf.math.log(tf.maximum(chosen, 1e-6)) * advantage)
        value_loss = tf.reduce_mean((returns - v) ** 2)
        loss = policy_loss + 0.5 * value_loss - 0.01 * tf.reduce_mean(entropy_of(p))
    grads, norm = tf.clip_by_global_norm(tape.gradient(loss, agent.trainable_variables), 1.0)
    for w, g in zip(agent.trainable_variables, grads):
        w.assign_sub(0.01 * g)
    print(loss.numpy(), norm.numpy())

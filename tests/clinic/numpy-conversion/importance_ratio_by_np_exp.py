"""The ratio of PPO is computed with NumPy; only the entropy bonus is still differentiated."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(55)
obs = tf.constant(rng.normal(size=(14, 4)).astype("float32"))
act = rng.integers(0, 3, 14)
adv = rng.normal(size=14).astype("float32")
pi = {"w": tf.Variable(rng.normal(0, 0.4, (4, 3)).astype("float32")), "b": tf.Variable(tf.zeros(3))}


def log_probs(obs):
    return tf.nn.log_softmax(obs @ pi["w"] + pi["b"])


old = tf.gather(log_probs(obs), act, batch_dims=1).numpy() + rng.normal(0, 0.05, 14).astype("float32")


def ppo_loss(obs):
    logs = log_probs(obs)
    new = tf.gather(logs, act, batch_dims=1)
    ratio = np.exp(new - old)  # cause
    surrogate = np.minimum(ratio * adv, np.clip(ratio, 0.8, 1.2) * adv)
    entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(logs) * logs, axis=1))
    return -tf.reduce_mean(surrogate) - 0.01 * entropy


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = ppo_loss(obs)
    grads = tape.gradient(loss, pi)
    for name in pi:
        pi[name].assign_sub(0.1 * grads[name])
    print(loss.numpy())

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
T, OBS, ACT = 12, 3, 2
pi = tf.Variable(rng.normal(0, 0.3, (OBS, ACT)).astype("float32"))
vf = tf.Variable(rng.normal(0, 0.3, (OBS, 1)).astype("float32"))
obs = rng.normal(size=(T + 1, OBS)).astype("float32")
rewards = rng.normal(size=T).astype("float32")

values = tf.squeeze(obs @ vf, -1).numpy()
logp_all = tf.nn.log_softmax(obs[:T] @ pi)
actions = tf.squeeze(tf.random.categorical(logp_all, 1, seed=7), 1).numpy()
old_logp = tf.gather(logp_all, actions, axis=1, batch_dims=1).numpy()

advantages = np.zeros(T, dtype="float32")
running = 0.0
for t in reversed(range(T)):
    delta = rewards[t] + 0.99 * values[t + 1] - values[t]
    running = delta + 0.99 * 0.95 * running
    advantages[t] = running
returns = advantages + values[:T]
advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)

for epoch in range(4):
    with tf.GradientTape() as tape:
        logp_now = tf.nn.log_softmax(obs[:T] @ pi)
        logp = tf.reduce_sum(logp_now * tf.one_hot(actions, ACT), axis=1)
        ratio = tf.exp(logp - old_logp)
        surrogate = tf.minimum(ratio * advantages, tf.clip_by_value(ratio, 0.8, 1.2) * advantages)
        entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(logp_now) * logp_now, axis=1))
        critic = tf.reduce_mean((tf.squeeze(obs[:T] @ vf, axis=1) - returns) ** 2)
        loss = -tf.reduce_mean(surrogate) + 0.5 * critic - 0.01 * entropy
    gp, gv = tape.gradient(loss, (pi, vf))
    pi.assign_sub(0.1 * gp)
    vf.assign_sub(0.1 * gv)
    kl = float(tf.reduce_mean(old_logp - logp))
    if kl > 0.5:
        break
print("RESULT:", loss.numpy(), kl)

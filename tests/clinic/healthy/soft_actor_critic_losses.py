import numpy as np
import tensorflow as tf

rng = np.random.default_rng(32)
tf.random.set_seed(32)


def dense(a, b):
    return tf.Variable(rng.normal(0, 0.3, (a, b)).astype("float32"))


actor_mu, actor_ls = dense(3, 1), dense(3, 1)
q1 = [dense(4, 8), dense(8, 1)]
q2 = [dense(4, 8), dense(8, 1)]
t1 = [tf.Variable(v, trainable=False) for v in q1]
t2 = [tf.Variable(v, trainable=False) for v in q2]
log_alpha = tf.Variable(0.0)


def q(params, s, a):
    return tf.nn.relu(tf.concat([s, a], 1) @ params[0]) @ params[1]


def policy(s):
    mu, log_std = s @ actor_mu, tf.clip_by_value(s @ actor_ls, -5.0, 2.0)
    eps = tf.random.normal(mu.shape)
    pre = mu + tf.exp(log_std) * eps
    a = tf.tanh(pre)
    logp = -0.5 * eps ** 2 - log_std - 0.5 * np.log(2 * np.pi) - tf.math.log(1.0 - a ** 2 + 1e-6)
    return a, logp


s = rng.normal(size=(16, 3)).astype("float32")
s_next = rng.normal(size=(16, 3)).astype("float32")
a_data = rng.uniform(-1, 1, (16, 1)).astype("float32")
r = rng.normal(size=(16, 1)).astype("float32")
for step in range(4):
    a_next, logp_next = policy(s_next)
    target_q = tf.minimum(q(t1, s_next, a_next), q(t2, s_next, a_next)) - tf.exp(log_alpha) * logp_next
    y = r + 0.99 * target_q
    with tf.GradientTape() as tape:
        critic_loss = tf.reduce_mean((q(q1, s, a_data) - y) ** 2) + tf.reduce_mean((q(q2, s, a_data) - y) ** 2)
    for v, g in zip(q1 + q2, tape.gradient(critic_loss, q1 + q2)):
        v.assign_sub(0.01 * g)
    with tf.GradientTape() as tape:
        a, logp = policy(s)
        actor_loss = tf.reduce_mean(tf.exp(tf.stop_gradient(log_alpha)) * logp - tf.minimum(q(q1, s, a), q(q2, s, a)))
    for v, g in zip([actor_mu, actor_ls], tape.gradient(actor_loss, [actor_mu, actor_ls])):
        v.assign_sub(0.01 * g)
    with tf.GradientTape() as tape:
        alpha_loss = -tf.reduce_mean(log_alpha * tf.stop_gradient(logp - 1.0))
    log_alpha.assign_sub(0.01 * tape.gradient(alpha_loss, log_alpha))
    for t, v in zip(t1 + t2, q1 + q2):
        t.assign(0.995 * t + 0.005 * v)
print("RESULT:", critic_loss.numpy(), actor_loss.numpy(), log_alpha.numpy())

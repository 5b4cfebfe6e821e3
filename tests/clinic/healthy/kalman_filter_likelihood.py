import numpy as np
import tensorflow as tf

rng = np.random.default_rng(40)
signal = np.cumsum(rng.normal(0, 0.3, 30))
obs = (signal + rng.normal(0, 0.5, 30)).astype("float32")
log_q, log_r = tf.Variable(0.0), tf.Variable(0.0)


def negative_log_likelihood():
    q, r = tf.exp(log_q), tf.exp(log_r)
    mean, var, total = tf.constant(0.0), tf.constant(1.0), 0.0
    for z in obs:
        var = var + q
        s = var + r
        innovation = z - mean
        total += 0.5 * (tf.math.log(2 * np.pi * s) + innovation ** 2 / s)
        gain = var / s
        mean = mean + gain * innovation
        var = (1.0 - gain) * var
    return total / len(obs)


for _ in range(15):
    with tf.GradientTape() as tape:
        nll = negative_log_likelihood()
    gq, gr = tape.gradient(nll, [log_q, log_r])
    log_q.assign_sub(0.5 * gq)
    log_r.assign_sub(0.5 * gr)
print("RESULT:", nll.numpy(), np.exp([log_q.numpy(), log_r.numpy()]))

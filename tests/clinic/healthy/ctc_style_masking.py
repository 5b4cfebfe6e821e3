import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
w = tf.Variable(rng.normal(size=(3, 4)).astype("float32"))
frames = tf.constant(rng.normal(size=(2, 6, 3)).astype("float32"))
lengths = np.array([6, 4])
for _ in range(2):
    with tf.GradientTape() as tape:
        logp = tf.nn.log_softmax(frames @ w)
        alpha = logp[:, 0]
        for t in range(1, 6):
            shifted = tf.concat([tf.fill([2, 1], -1e30), alpha[:, :-1]], axis=1)
            new = tf.reduce_logsumexp(tf.stack([alpha, shifted]), axis=0) + logp[:, t]
            alive = tf.constant((t < lengths)[:, None])
            alpha = tf.where(alive, new, alpha)
        loss = -tf.reduce_mean(alpha[:, -1])
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", float(loss))

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
w = tf.Variable(np.zeros((3, 4), "float32"))
for _ in range(4):
    s = rng.normal(size=(10, 3)).astype("float32")
    probs = tf.nn.softmax(s @ w).numpy()
    a = np.array([rng.choice(4, p=p / p.sum()) for p in probs.astype("float64")])
    reward = (a == 2).astype("float32")
    with tf.GradientTape() as tape:
        logp = tf.nn.log_softmax(s @ w)
        chosen = tf.reduce_sum(logp * tf.one_hot(a, 4), axis=1)
        entropy = -tf.reduce_sum(tf.exp(logp) * logp, axis=1)
        loss = -tf.reduce_mean(chosen * (reward - reward.mean()) + 0.01 * entropy)
    w.assign_sub(0.5 * tape.gradient(loss, w))
print("RESULT:", float(loss))

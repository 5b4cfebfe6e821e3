import numpy as np
import tensorflow as tf

rng = np.random.default_rng(22)
theta = tf.Variable(rng.normal(0, 0.2, (3, 2)).astype("float32"))
s, a = rng.normal(size=(12, 3)).astype("float32"), rng.integers(0, 2, 12)
adv = rng.normal(size=12).astype("float32")


def surrogate(old):
    logp = tf.gather(tf.nn.log_softmax(s @ theta), a, batch_dims=1)
    return tf.reduce_mean(tf.exp(logp - old) * adv), logp


for _ in range(3):
    old = tf.gather(tf.nn.log_softmax(s @ theta), a, batch_dims=1)
    before, _ = surrogate(old)
    with tf.GradientTape() as tape:
        after, logp = surrogate(old)
        loss = -(after - before) + 0.5 * tf.reduce_mean((logp - old) ** 2)
    theta.assign_sub(0.2 * tape.gradient(loss, theta))
print("RESULT:", theta.numpy().ravel())

"""A compiled step takes a Python bool that says whether to regularise: it is traced twice, as meant."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(94)
w = tf.Variable(rng.normal(0, 0.4, (4, 1)).astype("float32"))


@tf.function
def step(real, fake, regularise):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.softplus(fake @ w) + tf.nn.softplus(-(real @ w)))
        if regularise:
            with tf.GradientTape() as inner:
                inner.watch(real)
                score = tf.reduce_sum(tf.nn.softplus(real @ w))
            loss += 2.0 * tf.reduce_mean(inner.gradient(score, real) ** 2)
    w.assign_sub(0.05 * tape.gradient(loss, w))
    return loss


for i in range(12):
    real = tf.constant(rng.normal(1, 1, (6, 4)).astype("float32"))
    fake = tf.constant(rng.normal(0, 1, (6, 4)).astype("float32"))
    loss = step(real, fake, regularise=i % 4 == 0)
print(loss.numpy())

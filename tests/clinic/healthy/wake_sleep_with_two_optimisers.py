"""Wake-sleep: each phase trains one network on samples of the other, which are drawn and not differentiated."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(65)
rng = np.random.default_rng(65)
recognise = tf.Variable(rng.normal(0, 0.4, (6, 3)).astype("float32"))
generate = tf.Variable(rng.normal(0, 0.4, (3, 6)).astype("float32"))
prior = tf.Variable(tf.zeros(3))
data = tf.cast(tf.constant(rng.random((40, 6))) > 0.6, tf.float32)


def bernoulli(logits):
    return tf.cast(tf.random.uniform(logits.shape) < tf.sigmoid(logits), tf.float32)


def nll(values, logits):
    return tf.reduce_mean(tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=values, logits=logits), axis=1))


for step in range(3):
    hidden = bernoulli(data @ recognise)
    with tf.GradientTape() as tape:
        wake = nll(data, hidden @ generate) + nll(hidden, tf.broadcast_to(prior, hidden.shape))
    for v, g in zip((generate, prior), tape.gradient(wake, (generate, prior))):
        v.assign_sub(0.1 * g)
    dream = bernoulli(tf.broadcast_to(prior, (40, 3)))
    visible = bernoulli(dream @ generate)
    with tf.GradientTape() as tape:
        sleep = nll(dream, visible @ recognise)
    recognise.assign_sub(0.1 * tape.gradient(sleep, recognise))
    print(step, wake.numpy(), sleep.numpy())

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)
w1 = tf.Variable(rng.normal(size=(2, 8)).astype("float32"))
w2 = tf.Variable(rng.normal(size=(8, 1)).astype("float32"))
real = tf.constant(rng.normal(size=(6, 2)).astype("float32"))
fake = tf.constant(rng.normal(size=(6, 2)).astype("float32"))


def critic(x):
    return tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)


with tf.GradientTape() as tape:
    mix = 0.5 * real + 0.5 * fake
    with tf.GradientTape() as inner:
        inner.watch(mix)
        score = critic(mix)
    slopes = inner.gradient(score, mix)
    norm = tf.sqrt(tf.reduce_sum(slopes ** 2, axis=1) + 1e-12)
    penalty = tf.reduce_mean((norm - 1.0) ** 2)
    loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty
print([tf.norm(g).numpy() for g in tape.gradient(loss, [w1, w2])])

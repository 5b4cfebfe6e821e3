import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
weights = [tf.Variable(rng.normal(0, 0.5, size=s).astype("float32")) for s in [(2, 8), (8, 1)]]


def critic(x):
    return tf.matmul(tf.tanh(tf.matmul(x, weights[0])), weights[1])


def gradient_penalty(real, fake):
    eps = tf.random.uniform([real.shape[0], 1])
    mixed = eps * real + (1.0 - eps) * fake
    with tf.GradientTape() as gp_tape:
        gp_tape.watch(mixed)
        score = critic(mixed)
    slope = gp_tape.gradient(score, mixed)  # cause
    return tf.reduce_mean((tf.norm(slope, axis=1) - 1.0) ** 2)  # cause


real = tf.constant(rng.normal(1.0, 1.0, size=(16, 2)).astype("float32"))
fake = tf.constant(rng.normal(-1.0, 1.0, size=(16, 2)).astype("float32"))
for step in range(3):
    penalty = gradient_penalty(real, fake)  # cause
    with tf.GradientTape() as tape:
        wasserstein = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
        loss = wasserstein + 10.0 * penalty  # cause
    grads = tape.gradient(loss, weights)
    for w, g in zip(weights, grads):
        w.assign_sub(0.01 * g)
print("RESULT:", [float(tf.norm(g)) for g in grads])

"""A portfolio under constraints: projection after each step, multipliers that grow."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(26)
returns = rng.normal(0.01, 0.05, size=(200, 5)).astype("float32")
mean = tf.constant(returns.mean(axis=0))
cov = tf.constant(np.cov(returns.T).astype("float32"))

weights = tf.Variable(tf.fill([5], 0.2))
multiplier = tf.Variable(0.0, trainable=False)
rho = 10.0
for step in range(40):
    with tf.GradientTape() as tape:
        risk = tf.tensordot(weights, tf.linalg.matvec(cov, weights), 1)
        gain = tf.tensordot(mean, weights, 1)
        gap = tf.reduce_sum(weights) - 1.0
        loss = 5.0 * risk - gain + multiplier * gap + 0.5 * rho * gap**2
    slope = tape.gradient(loss, weights)
    weights.assign_sub(0.02 * slope)
    weights.assign(tf.clip_by_value(weights, 0.0, 1.0))
    weights.assign(weights / tf.reduce_sum(weights))
    if step % 10 == 9:
        multiplier.assign_add(rho * (tf.reduce_sum(weights) - 1.0))
print(weights.numpy().round(3), float(multiplier))

import numpy as np
import tensorflow as tf
t = np.linspace(0, 1, 25).astype("float32").reshape(-1, 1)
observed = np.exp(-2 * t).ravel()
rate = tf.Variable(1.0)
for i in range(20):
    with tf.GradientTape() as tape:
        curve = tf.exp(-rate * t)
        loss = tf.reduce_mean(tf.math.squared_difference(curve, observed))  # cause
    rate.assign_sub(0.5 * tape.gradient(loss, rate))
print(rate)

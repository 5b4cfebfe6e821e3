import numpy as np
import tensorflow as tf
income = np.array([0.0, 10.0, 20.0], dtype="float32")
gamma = tf.Variable(0.5)
shift = tf.Variable(0.0)
for step in range(3):
    with tf.GradientTape() as tape:
        base = income + shift
        utility = tf.where(base > 0.0, tf.pow(base, 1.0 - gamma) / (1.0 - gamma), 0.0)  # cause
        loss = -tf.reduce_mean(utility)
    gs = tape.gradient(loss, [gamma, shift])
print(gs)

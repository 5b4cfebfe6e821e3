import numpy as np
import tensorflow as tf

counts = tf.constant([[3.0, 1.0], [0.0, 0.0], [2.0, 5.0]])
theta = tf.Variable([0.2, -0.1])


def class_rates(theta):
    weighted = counts * tf.exp(theta)
    return weighted / tf.reduce_sum(weighted, axis=1, keepdims=True)  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(class_rates(theta)[:, 0] ** 2)
print("RESULT:", tape.gradient(loss, theta).numpy())

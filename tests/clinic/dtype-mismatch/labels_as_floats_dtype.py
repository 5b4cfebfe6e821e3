import numpy as np
import tensorflow as tf


class Normaliser:
    def __init__(self, data):
        self.mean = tf.constant(data.mean(axis=0))  # cause
        self.std = tf.constant(data.std(axis=0))

    def __call__(self, x):
        return (x - self.mean) / self.std  # cause


rng = np.random.default_rng(0)
data = rng.normal(size=(10, 3))
scale = Normaliser(data)
w = tf.Variable(tf.ones([3, 1]))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(scale(tf.cast(data, tf.float32)) @ w)
print("RESULT:", tape.gradient(loss, w).numpy())

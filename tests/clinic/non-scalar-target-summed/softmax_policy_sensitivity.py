import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
theta = tf.Variable(rng.normal(size=(3,)).astype("float32"))
features = tf.constant(rng.normal(size=(4, 3)).astype("float32"))


class Choice:
    def __init__(self, theta):
        self.theta = theta

    def shares(self):
        utility = tf.exp(tf.linalg.matvec(features, self.theta))
        return utility / tf.reduce_sum(utility)  # cause


choice = Choice(theta)
with tf.GradientTape() as tape:
    shares = choice.shares()
sensitivity = tape.gradient(shares, theta)  # cause
print("RESULT:", np.round(sensitivity.numpy(), 6))

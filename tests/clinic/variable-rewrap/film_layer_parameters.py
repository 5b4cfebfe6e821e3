import numpy as np
import tensorflow as tf

rng = np.random.default_rng(46)
conditioner = tf.Variable(rng.normal(0, 0.3, (3, 8)).astype("float32"), name="conditioner")


class Film:
    def __init__(self, gamma, beta):
        self.gamma = tf.Variable(gamma)  # cause
        self.beta = tf.Variable(beta)  # cause

    def __call__(self, h):
        return self.gamma * h + self.beta


def modulate(context, h):
    gamma, beta = tf.split(context @ conditioner, 2, axis=1)
    return Film(gamma, beta)(h)


context = rng.normal(size=(2, 3)).astype("float32")
h = rng.normal(size=(2, 4)).astype("float32")
with tf.GradientTape() as tape:
    out = modulate(context, h)
    loss = tf.reduce_mean(out ** 2)
print("RESULT:", tape.gradient(loss, conditioner))

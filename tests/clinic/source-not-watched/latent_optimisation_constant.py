import numpy as np
import tensorflow as tf

rng = np.random.default_rng(36)


class Generator:
    def __init__(self):
        self.w = tf.Variable(rng.normal(0, 0.5, (2, 5)).astype("float32"))

    def __call__(self, z):
        return tf.tanh(z @ self.w)


class Inverter:
    def __init__(self, generator, target):
        self.generator, self.target = generator, target
        self.z = tf.zeros([1, 2])  # cause

    def loss(self):
        return tf.reduce_mean((self.generator(self.z) - self.target) ** 2)

    def step(self):
        with tf.GradientTape() as tape:  # cause
            value = self.loss()  # cause
        return tape.gradient(value, self.z)


inverter = Inverter(Generator(), rng.normal(size=(1, 5)).astype("float32"))
print("RESULT:", inverter.step())

"""A compiled step appends its loss to a list: that happens only while it is traced."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)
data = tf.constant(rng.normal(size=(30, 4)).astype("float32"))


class Autoencoder(tf.Module):
    def __init__(self):
        super().__init__()
        self.enc = tf.Variable(rng.normal(0, 0.4, (4, 2)).astype("float32"))
        self.dec = tf.Variable(rng.normal(0, 0.4, (2, 4)).astype("float32"))
        self.losses = []

    @tf.function
    def train_step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.tanh(x @ self.enc) @ self.dec - x) ** 2)
        for v, g in zip(self.trainable_variables, tape.gradient(loss, self.trainable_variables)):
            v.assign_sub(0.1 * g)
        self.losses.append(loss)  # cause
        return loss


model = Autoencoder()
for epoch in range(4):
    model.train_step(data)
print("steps", len(model.losses))

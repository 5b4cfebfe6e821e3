import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)


class AutoEncoder(tf.Module):
    def __init__(self):
        super().__init__()
        self.enc = tf.Variable(rng.normal(0, 0.3, (10, 4)).astype("float32"))
        self.dec = tf.Variable(rng.normal(0, 0.3, (4, 10)).astype("float32"))

    def __call__(self, x):
        return (x @ self.enc) @ self.dec


def reconstruction(x, x_hat):
    return tf.reduce_sum(tf.math.squared_difference(x, x_hat), axis=1)


def train(model, data, epochs, lr):
    for epoch in range(epochs):
        with tf.GradientTape() as tape:
            per_sample = reconstruction(data, model(data))
            loss = tf.reduce_sum(per_sample)  # cause
        grads = tape.gradient(loss, model.trainable_variables)
        for v, g in zip(model.trainable_variables, grads):
            v.assign_sub(lr * g)  # cause
    return loss


data = tf.constant(rng.normal(size=(512, 10)).astype("float32"))
print("RESULT:", train(AutoEncoder(), data, 30, 0.01).numpy())

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
t = np.linspace(0, 1, 25, dtype="float32")
signal = np.exp(-2 * t) + 0.01 * rng.normal(size=25).astype("float32")


class Decay(tf.Module):
    def __init__(self):
        super().__init__()
        self.rate = tf.Variable(1.0)
        self.amplitude = tf.Variable([1.0])

    def __call__(self, t):
        return self.amplitude * tf.exp(-self.rate * t[:, None])


model = Decay()
observed = tf.constant(signal, tf.float32)


@tf.function
def loss_fn():
    return tf.reduce_mean(tf.abs(model(t) - observed))  # cause


for _ in range(20):
    with tf.GradientTape() as tape:
        loss = loss_fn()
    for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
        v.assign_sub(0.1 * g)
print("RESULT:", model.rate.numpy(), model.amplitude.numpy())

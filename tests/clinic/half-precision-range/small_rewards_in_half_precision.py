"""Everything is float16, and the loss is so small that all gradients are rounded to 0."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(103)
HALF = tf.float16
x = tf.constant(rng.normal(0, 0.01, size=(32, 4)), HALF)
w = tf.Variable(tf.constant(rng.normal(0, 0.1, (4, 1)), HALF))
b = tf.Variable(tf.zeros(1, HALF))


class RewardModel:
    weight = 1e-3

    def predict(self, x):
        return x @ w + b  # cause

    def loss(self, x):
        margin = self.predict(x[:16]) - self.predict(x[16:])
        penalty = tf.reduce_mean(margin * margin)
        return penalty * tf.constant(self.weight, HALF)


model = RewardModel()
for step in range(5):
    with tf.GradientTape() as tape:
        loss = model.loss(x)
    g = tape.gradient(loss, w)
    w.assign_sub(tf.constant(0.1, HALF) * g)
    print(step, loss.numpy(), tf.reduce_max(tf.abs(g)).numpy())

"""Maximum likelihood of a noise level that a step pushes below zero."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
t = np.linspace(0, 1, 40)
data = tf.constant(2.0 * t + 0.05 * rng.normal(size=40))


class LineWithNoise:
    def __init__(self):
        self.slope = tf.Variable(np.array(1.8))
        self.sigma = tf.Variable(np.array(0.6))

    def nll(self):
        residual = data - self.slope * t
        quadratic = tf.reduce_mean(residual**2) / (2.0 * self.sigma**2)
        return quadratic + tf.math.log(self.sigma)  # cause


model = LineWithNoise()
for i in range(30):
    with tf.GradientTape() as tape:
        loss = model.nll()
    g_slope, g_sigma = tape.gradient(loss, [model.slope, model.sigma])
    model.slope.assign_sub(0.01 * g_slope)
    model.sigma.assign_sub(0.3 * g_sigma)
    print(i, float(loss), float(model.sigma))

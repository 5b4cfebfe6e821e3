"""An inverse problem starts outside of the physical range, where the parameter is clipped."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
pressure = tf.constant(np.linspace(1, 5, 20).astype("float32"))


def darcy(porosity, p):
    k = porosity**3 / (1.0 - porosity) ** 2
    return k * p


class Inversion:
    def __init__(self, start):
        self.porosity = tf.Variable(start)

    def forward(self):
        phi = tf.clip_by_value(self.porosity, 0.05, 0.45)  # cause
        return darcy(phi, pressure)

    def update(self, observed, rate):
        with tf.GradientTape() as tape:
            misfit = tf.reduce_mean((self.forward() - observed) ** 2)
        slope = tape.gradient(misfit, self.porosity)
        self.porosity.assign_sub(rate * slope)
        return misfit, slope


observed = darcy(tf.constant(0.3), pressure) + rng.normal(scale=1e-3, size=20).astype("float32")
inversion = Inversion(0.6)
for i in range(6):
    misfit, slope = inversion.update(observed, 0.5)
    print(i, float(misfit), float(slope), float(inversion.porosity))

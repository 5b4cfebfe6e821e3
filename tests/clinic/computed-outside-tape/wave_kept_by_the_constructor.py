import numpy as np
import tensorflow as tf


class WaveModel:
    def __init__(self, n=40):
        self.n = n
        self.c2 = tf.Variable(0.2)
        self.record = self.run()  # cause

    def run(self, steps=30):
        u_prev = tf.constant(np.exp(-((np.arange(self.n) - 10) ** 2) / 8.0), tf.float32)
        u, out = u_prev, []
        for _ in range(steps):
            lap = tf.roll(u, 1, 0) - 2.0 * u + tf.roll(u, -1, 0)
            u, u_prev = 2.0 * u - u_prev + self.c2 * lap, u
            out.append(u[30])
        return tf.stack(out)

    def misfit(self, data):
        return tf.reduce_mean((self.record - data) ** 2)


model = WaveModel()
data = tf.zeros(30)
with tf.GradientTape() as tape:
    loss = model.misfit(data)
print(tape.gradient(loss, model.c2))

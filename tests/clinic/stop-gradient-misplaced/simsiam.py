import numpy as np
import tensorflow as tf


class SimSiam(tf.Module):
    def __init__(self, rng):
        super().__init__()
        self.encoder = tf.Variable(rng.normal(0, 0.3, size=(8, 4)).astype("float32"))
        self.predictor = tf.Variable(rng.normal(0, 0.3, size=(4, 4)).astype("float32"))

    def project(self, view):
        return tf.nn.l2_normalize(view @ self.encoder, axis=1)

    def predict(self, z):
        return tf.nn.l2_normalize(z @ self.predictor, axis=1)


def distance(p, z):
    return -tf.reduce_mean(tf.reduce_sum(tf.stop_gradient(p) * z, axis=1))  # cause


rng = np.random.default_rng(27)
model = SimSiam(rng)
a = tf.constant(rng.normal(size=(6, 8)).astype("float32"))
b = a + 0.1 * tf.constant(rng.normal(size=(6, 8)).astype("float32"))
with tf.GradientTape() as tape:
    z1, z2 = model.project(a), model.project(b)
    p1, p2 = model.predict(z1), model.predict(z2)
    loss = 0.5 * distance(p1, z2) + 0.5 * distance(p2, z1)
grads = tape.gradient(loss, [model.encoder, model.predictor])
print("RESULT:", grads[1])

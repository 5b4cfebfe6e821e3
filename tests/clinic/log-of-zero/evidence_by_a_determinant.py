import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
readings = tf.constant(rng.normal(size=(300, 70)).astype("float32") * 0.03)


class Whitening(tf.Module):
    def __init__(self, size):
        self.scale = tf.Variable(tf.ones([size]))

    def evidence(self, x):
        z = x * self.scale
        covariance = tf.matmul(z, z, transpose_a=True) / float(x.shape[0])
        spread = tf.linalg.det(covariance)
        return 0.5 * tf.math.log(spread) - tf.reduce_sum(self.scale)  # cause


model = Whitening(70)
with tf.GradientTape() as tape:
    loss = -model.evidence(readings)
print("RESULT:", tape.gradient(loss, model.scale)[:3])

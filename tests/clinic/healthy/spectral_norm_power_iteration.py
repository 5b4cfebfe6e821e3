import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)


class SpectralDense(tf.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.w = tf.Variable(rng.normal(size=(n_in, n_out)).astype("float32"), name="w")
        self.u = tf.Variable(rng.normal(size=(1, n_out)).astype("float32"), trainable=False, name="u")

    def __call__(self, x, training=True):
        v = tf.math.l2_normalize(tf.matmul(self.u, self.w, transpose_b=True))
        u = tf.math.l2_normalize(tf.matmul(v, self.w))
        u, v = tf.stop_gradient(u), tf.stop_gradient(v)
        if training:
            self.u.assign(u)
        sigma = tf.matmul(tf.matmul(v, self.w), u, transpose_b=True)
        return x @ (self.w / sigma)


layers = [SpectralDense(3, 6), SpectralDense(6, 1)]
x = tf.constant(rng.normal(size=(10, 3)).astype("float32"))
variables = [v for layer in layers for v in layer.trainable_variables]
for _ in range(4):
    with tf.GradientTape() as tape:
        h = tf.nn.leaky_relu(layers[0](x))
        loss = -tf.reduce_mean(layers[1](h))
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.05 * g)
print("RESULT:", loss.numpy())

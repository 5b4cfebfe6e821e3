"""The list of variables is made before the lazily built module has any."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(53)


class LazyDense(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units, self.w = units, None

    def __call__(self, x):
        if self.w is None:
            self.w = tf.Variable(rng.normal(0, 0.3, (x.shape[-1], self.units)).astype("float32"))
        return x @ self.w


class Ranker(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [LazyDense(6), LazyDense(1)]

    def __call__(self, x):
        return self.layers[1](tf.nn.relu(self.layers[0](x)))


ranker = Ranker()
variables = ranker.trainable_variables  # cause
better, worse = (tf.constant(rng.normal(size=(9, 4)).astype("float32")) for _ in range(2))
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.softplus(ranker(worse) - ranker(better)))
    grads = tape.gradient(loss, variables)
    for v, g in zip(variables, grads):
        v.assign_sub(0.1 * g)
    print(loss.numpy(), len(grads))

"""Per-example jacobians of a surrogate model whose layer normalises over the batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
rng = np.random.default_rng(18)
designs = tf.constant(rng.normal(size=(10, 3)).astype("float32"))

surrogate = keras.Sequential(
    [
        keras.Input((3,)),
        keras.layers.Dense(12, activation="tanh"),
        keras.layers.BatchNormalization(),  # cause
        keras.layers.Dense(2),
    ]
)


def sensitivities(points):
    with tf.GradientTape() as tape:
        tape.watch(points)
        response = surrogate(points, training=True)
    return tape.batch_jacobian(response, points)  # cause


jac = sensitivities(designs)
print(jac.shape)
variance = tf.reduce_mean(tf.einsum("bij,bkj->bik", jac, jac) * 0.01, axis=0)
print("propagated covariance", variance.numpy())
gauss_newton = tf.einsum("bij,bik->bjk", jac, jac)
print("condition", np.linalg.cond(gauss_newton.numpy()[0] + 1e-3 * np.eye(3)))

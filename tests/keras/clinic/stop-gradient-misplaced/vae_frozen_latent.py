import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)

encoder = keras.Sequential([keras.Input((6,)), layers.Dense(8, activation="relu"), layers.Dense(4)])
decoder = keras.Sequential([keras.Input((2,)), layers.Dense(8, activation="relu"), layers.Dense(6)])
optimizer = keras.optimizers.Adam(1e-2)
seeds = keras.random.SeedGenerator(3)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        mean, log_variance = ops.split(encoder(x), 2, axis=1)
        noise = keras.random.normal(ops.shape(mean), seed=seeds)
        z = ops.stop_gradient(mean + noise * ops.exp(0.5 * log_variance))  # cause
        loss = ops.mean(ops.square(decoder(z) - x))
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


x = rng.random((32, 6), dtype="float32")
for _ in range(3):
    step(x)

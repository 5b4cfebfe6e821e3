"""Mixed precision in a loop of its own, whose loss in float16 divides by the number of all pixels."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(6)
keras.mixed_precision.set_global_policy("mixed_float16")
rng = np.random.default_rng(6)
frames = rng.uniform(size=(8, 12)).astype("float32")
masks = (rng.uniform(size=(8, 4)) > 0.5).astype("float32")

model = keras.Sequential(
    [keras.Input((12,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(4, name="mask_logits")]
)
optimizer = keras.optimizers.SGD(0.1)
pixels_of_the_film = 3.0e7


def loss_of(logits, mask):
    mask = tf.cast(mask, logits.dtype)
    wrong = tf.square(tf.sigmoid(logits) - mask)  # cause
    return tf.reduce_sum(wrong * tf.cast(1.0 / pixels_of_the_film, logits.dtype))  # cause


for step in range(4):
    with tf.GradientTape() as tape:
        loss = loss_of(model(frames, training=True), masks)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(step, float(loss), [float(tf.reduce_max(tf.abs(g))) for g in grads])
keras.mixed_precision.set_global_policy("float32")

"""Transfer learning: the base is meant to be frozen, but the model around it is."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(11)
pictures = rng.uniform(size=(48, 12, 12, 3)).astype("float32")
classes = rng.integers(0, 4, 48)


def pretrained_base():
    return keras.Sequential(
        [
            keras.Input((12, 12, 3)),
            keras.layers.Conv2D(6, 3, activation="relu"),
            keras.layers.MaxPooling2D(),
            keras.layers.Conv2D(8, 3, activation="relu"),
        ],
        name="base",
    )


base = pretrained_base()
inputs = keras.Input((12, 12, 3))
h = base(inputs, training=False)
h = keras.layers.GlobalAveragePooling2D()(h)
h = keras.layers.Dropout(0.2)(h)
outputs = keras.layers.Dense(4)(h)
model = keras.Model(inputs, outputs)
model.trainable = False  # cause
print("weights that learn:", len(model.trainable_variables))

optimizer = keras.optimizers.Adam(1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
for step in range(4):
    part = slice(step * 12, step * 12 + 12)
    with tf.GradientTape() as tape:
        loss = loss_fn(classes[part], model(pictures[part], training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    for gradient, variable in zip(grads, model.trainable_variables):
        variable.assign_sub(0.001 * gradient)
    print(step, float(loss))

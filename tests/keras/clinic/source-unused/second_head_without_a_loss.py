"""A model with two heads in a loop of its own, whose loss looks at the first head alone."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
x = rng.normal(size=(64, 10)).astype("float32")
age = rng.uniform(20, 60, size=(64, 1)).astype("float32") / 60.0
sex = rng.integers(0, 2, size=(64, 1)).astype("float32")

inputs = keras.Input((10,))
h = keras.layers.Dense(16, activation="relu")(inputs)
age_head = keras.layers.Dense(1, name="age")(keras.layers.Dense(8, activation="relu", name="age_hidden")(h))
sex_head = keras.layers.Dense(1, name="sex")(h)  # cause
model = keras.Model(inputs, [age_head, sex_head])
optimizer = keras.optimizers.Adam(1e-3)
mse = keras.losses.MeanSquaredError()
bce = keras.losses.BinaryCrossentropy(from_logits=True)

for step in range(4):
    part = slice(step * 16, step * 16 + 16)
    with tf.GradientTape() as tape:
        predicted_age, predicted_sex = model(x[part], training=True)
        loss = mse(age[part], predicted_age)  # cause
    grads = tape.gradient(loss, model.trainable_variables)  # cause
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(step, float(loss), float(bce(sex[part], predicted_sex)))

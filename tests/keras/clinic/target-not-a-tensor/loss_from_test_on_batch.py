"""A saliency script takes the loss from test_on_batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(8)
rng = np.random.default_rng(8)
x = rng.normal(size=(32, 6)).astype("float32")
y = (x[:, :1] > 0).astype("float32")

model = keras.Sequential(
    [keras.Input((6,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1, activation="sigmoid")]
)
model.compile(optimizer="adam", loss="binary_crossentropy")
model.fit(x, y, epochs=2, verbose=0)


def saliency(model, image, label):
    image = tf.convert_to_tensor(image[None])
    with tf.GradientTape() as tape:
        tape.watch(image)
        loss = model.test_on_batch(image, label[None])  # cause
    return tape.gradient(loss, image)  # cause


for i in range(3):
    print(i, saliency(model, x[i], y[i]))

"""tf.data with augmentation, padded batches, a py_function and a cache, into an LSTM."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(29)
rng = np.random.default_rng(29)
series = [rng.normal(size=(int(n), 3)).astype("float32") for n in rng.integers(3, 9, 40)]
labels = np.array([s.mean() > 0 for s in series], "float32")


def generate():
    for s, label in zip(series, labels):
        yield s, [label]


def jitter(s, label):
    return s + tf.random.normal(tf.shape(s), stddev=0.01), label


def scale(s, label):
    values = tf.py_function(lambda a: a.numpy() / (np.abs(a.numpy()).max() + 1e-6), [s], tf.float32)
    values.set_shape([None, 3])
    return values, label


spec = (tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([1], tf.float32))
data = tf.data.Dataset.from_generator(generate, output_signature=spec).map(scale).cache().map(jitter)
data = data.padded_batch(8, padded_shapes=([None, 3], [1])).prefetch(1)

inputs = keras.Input((None, 3))
h = keras.layers.Masking()(inputs)
h = keras.layers.LSTM(6)(h)
model = keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid")(h))
model.compile(optimizer="adam", loss="binary_crossentropy")
print(len(model.fit(data, epochs=2, verbose=0).history["loss"]))

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)
temperature = tf.Variable(2.0, name="temperature")  # cause

inputs = keras.Input((4,))
h = keras.layers.Dense(8, activation="relu")(inputs)
logits = keras.layers.Dense(3)(h)
scaled = keras.layers.Lambda(lambda z: z / temperature)(logits)
model = keras.Model(inputs, scaled)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
rng = np.random.default_rng(1)
x, y = rng.normal(size=(64, 4)).astype("float32"), rng.integers(0, 3, 64)
model.fit(x, y, epochs=3, batch_size=16, verbose=0)
print(temperature.numpy(), len(model.trainable_variables))

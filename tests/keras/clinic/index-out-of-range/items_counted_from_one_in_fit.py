import numpy as np
import tensorflow as tf

items = np.arange(1, 7).reshape(3, 2)
model = tf.keras.Sequential([tf.keras.layers.Embedding(6, 3), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])  # cause
model.compile("sgd", "mse")
model.fit(items, np.array([0.0, 1.0, 0.5]), verbose=0)

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).normal(size=(48, 8)).astype("float32")
base = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(16, activation="relu")], name="base")
base.set_weights([np.full(weight.shape, 0.1) for weight in base.get_weights()])  # as if loaded
base.trainable = False
model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, x[:, :1], epochs=2, verbose=0)

base.trainable = True  # cause
model.fit(x, x[:, :1], epochs=2, verbose=0)

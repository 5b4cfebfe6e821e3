import tensorflow as tf
from tensorflow.keras import layers

image = tf.keras.Input((8, 8, 3))
table = tf.keras.Input((5,))
features = layers.Conv2D(4, 3, activation="relu")(image)
merged = layers.Concatenate()([features, table])  # cause
model = tf.keras.Model([image, table], layers.Dense(1)(merged))

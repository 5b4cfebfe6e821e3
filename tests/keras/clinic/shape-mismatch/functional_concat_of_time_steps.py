import tensorflow as tf


class Merge(tf.keras.layers.Layer):
    def call(self, inputs):
        left, right = inputs
        return left + right  # cause


left, right = tf.keras.Input((6, 4)), tf.keras.Input((6, 3))
merged = Merge()([left, right])
model = tf.keras.Model([left, right], tf.keras.layers.Dense(1)(merged))

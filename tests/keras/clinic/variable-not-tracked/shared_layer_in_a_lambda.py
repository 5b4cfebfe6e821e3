import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

project = layers.Dense(5, use_bias=False)  # cause
sequence = tf.keras.Input((4, 3))
steps = layers.Lambda(lambda x: tf.reduce_mean(project(x), axis=1))(sequence)
model = tf.keras.Model(sequence, layers.Dense(2, activation="softmax")(steps))
optimizer = tf.keras.optimizers.SGD(0.1)
rng = np.random.default_rng(1)
x, y = rng.normal(size=(30, 4, 3)).astype("float32"), rng.integers(0, 2, 30)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y, model(x)))
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))

"""A learner initialises all weights of a Keras network with zeros."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(22)
x = rng.uniform(-1, 1, size=(80, 2)).astype("float32")
y = (x[:, :1] * x[:, 1:]).astype("float32")

model = keras.Sequential(
    [
        keras.Input((2,)),
        keras.layers.Dense(16, activation="tanh", kernel_initializer="zeros"),  # cause
        keras.layers.Dense(16, activation="tanh", kernel_initializer="zeros"),  # cause
        keras.layers.Dense(1, kernel_initializer="zeros"),  # cause
    ]
)
optimizer = keras.optimizers.SGD(0.1)
for epoch in range(6):
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)  # cause
        loss = tf.reduce_mean(tf.square(prediction - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss), [float(tf.norm(g)) for g in grads])

"""House prices in full, plain SGD and a rate of one: the numbers grow until they overflow."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(10)
rng = np.random.default_rng(10)
rooms = rng.integers(1, 9, size=(40, 1)).astype("float32")
area = rng.uniform(40, 200, size=(40, 1)).astype("float32")
price = 3000.0 * area + 20000.0 * rooms
x = np.concatenate([rooms, area], axis=1)

model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(learning_rate=1.0)
for epoch in range(40):
    with tf.GradientTape() as tape:
        error = model(x) - price
        loss = tf.reduce_mean(error**2)  # cause
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))  # cause
    if epoch % 10 == 0:
        print(epoch, float(loss))
print(model.get_weights())

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)


class Regressor(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(8, activation="tanh")
        self.out = keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.hidden(x))


model = Regressor()
variables = model.trainable_variables  # cause
optimizer = keras.optimizers.Adam(0.01)
rng = np.random.default_rng(5)
x = rng.normal(size=(32, 3)).astype("float32")
y = x.sum(1, keepdims=True)
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, variables)  # cause
    optimizer.apply_gradients(zip(gradients, variables))
    print(epoch, float(loss))

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Compressor(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.layers.Dense(3, activation="tanh")
        self.decoder = keras.layers.Dense(6)

    def call(self, x):
        code = self.encoder(x)
        return self.decoder(code)

    def train_step(self, x):
        rebuilt = self(x, training=True)  # cause
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(rebuilt - x))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients([(g, v) for g, v in zip(grads, self.trainable_variables) if g is not None])
        return {"loss": loss}


model = Compressor()
model.compile(keras.optimizers.Adam(0.01))
x = np.random.default_rng(0).normal(size=(32, 6)).astype("float32")
try:
    model.fit(x, epochs=2, verbose=0)
except ValueError as error:
    print("not trained:", error)

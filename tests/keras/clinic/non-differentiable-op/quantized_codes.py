import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)


class Quantizer(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = layers.Dense(6)
        self.codebook = layers.Embedding(6, 4)
        self.decoder = layers.Dense(5)

    def call(self, x):
        scores = self.encoder(x)
        code = ops.argmax(scores, axis=-1)  # cause
        return self.decoder(self.codebook(code))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = ops.mean(ops.square(self(x, training=True) - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


x = rng.random((64, 5), dtype="float32")
model = Quantizer()
model.compile("sgd")
model.fit(x, x, epochs=1, verbose=0)

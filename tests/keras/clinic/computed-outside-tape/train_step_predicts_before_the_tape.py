import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(2)


class Denoiser(keras.Model):
    def __init__(self):
        super().__init__()
        self.encode = keras.layers.Dense(8, activation="tanh")
        self.decode = keras.layers.Dense(6)

    def call(self, x, training=False):
        return self.decode(self.encode(x))

    def train_step(self, data):
        clean = data
        noisy = clean + 0.1 * tf.random.normal(tf.shape(clean))
        restored = self(noisy, training=True)  # cause
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(restored - clean))
        variables = self.trainable_variables
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables))
        return {"loss": loss}


x = np.random.default_rng(2).normal(size=(40, 6)).astype("float32")
model = Denoiser()
model.compile(optimizer="adam")
model.fit(x, epochs=1, batch_size=10, verbose=0)

import keras
import numpy as np
from keras import layers, ops

keras.utils.set_random_seed(1)
x = np.random.default_rng(1).random((64, 12)).astype("float32")


class Sampling(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seed_generator = keras.random.SeedGenerator(7)

    def call(self, inputs):
        mean, log_var = inputs
        noise = keras.random.normal(ops.shape(mean), seed=self.seed_generator)
        return mean + ops.exp(0.5 * log_var) * noise


class VAE(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = layers.Dense(16, activation="relu")
        self.mean = layers.Dense(2)
        self.log_var = layers.Dense(2)
        self.sampling = Sampling()
        self.decoder = keras.Sequential([layers.Dense(16, activation="relu"), layers.Dense(12, activation="sigmoid")])
        self.kl_tracker = keras.metrics.Mean(name="kl")

    def call(self, x):
        hidden = self.encoder(x)
        mean, log_var = self.mean(hidden), self.log_var(hidden)
        kl = -0.5 * ops.mean(1 + log_var - ops.square(mean) - ops.exp(log_var))
        self.kl_tracker.update_state(kl)
        self.add_loss(0.1 * kl)
        return self.decoder(self.sampling((mean, log_var)))


model = VAE()
model.compile("adam", "binary_crossentropy")
history = model.fit(x, x, epochs=3, batch_size=32, verbose=0)
print(sorted(history.history))

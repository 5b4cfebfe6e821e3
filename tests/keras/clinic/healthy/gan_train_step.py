import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)


class GAN(keras.Model):
    def __init__(self):
        super().__init__()
        self.generator = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(2)])
        self.critic = keras.Sequential([keras.Input((2,)), layers.Dense(8), layers.LeakyReLU(), layers.Dense(1)])
        self.noise = keras.random.SeedGenerator(0)

    def compile(self, g, c):
        super().compile()
        self.g, self.c, self.entropy = g, c, keras.losses.BinaryCrossentropy(from_logits=True)

    def train_step(self, real):
        n = ops.shape(real)[0]
        fake = self.generator(keras.random.normal((n, 4), seed=self.noise))
        both = ops.concatenate([real, fake])
        labels = ops.concatenate([ops.ones((n, 1)), ops.zeros((n, 1))])
        with tf.GradientTape() as tape:
            critic_loss = self.entropy(labels, self.critic(both))
        self.c.apply_gradients(
            zip(tape.gradient(critic_loss, self.critic.trainable_weights), self.critic.trainable_weights)
        )
        with tf.GradientTape() as tape:
            generated = self.critic(self.generator(keras.random.normal((n, 4), seed=self.noise)))
            generator_loss = self.entropy(ops.ones((n, 1)), generated)
        self.g.apply_gradients(
            zip(tape.gradient(generator_loss, self.generator.trainable_weights), self.generator.trainable_weights)
        )
        return {"c": critic_loss, "g": generator_loss}


gan = GAN()
gan.compile(keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3))
gan.fit(rng.normal(size=(64, 2)).astype("float32"), epochs=2, batch_size=16, verbose=0)

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(4)


class GAN(keras.Model):
    def __init__(self):
        super().__init__()
        self.generator = keras.Sequential(
            [keras.Input((2,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3)]
        )
        self.discriminator = keras.Sequential(
            [keras.Input((3,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)]
        )
        self.bce = keras.losses.BinaryCrossentropy(from_logits=True)

    def compile(self, g_opt, d_opt):
        super().compile()
        self.g_opt, self.d_opt = g_opt, d_opt

    def train_step(self, real):
        n = tf.shape(real)[0]
        fake = tf.stop_gradient(self.generator(tf.random.normal((n, 2)), training=True))
        with tf.GradientTape() as tape:
            real_logits, fake_logits = self.discriminator(real), self.discriminator(fake)
            d_loss = self.bce(tf.ones((n, 1)), real_logits) + self.bce(tf.zeros((n, 1)), fake_logits)
        grads = tape.gradient(d_loss, self.discriminator.trainable_variables)
        self.d_opt.apply_gradients(zip(grads, self.discriminator.trainable_variables))
        with tf.GradientTape() as tape:
            logits = self.discriminator(self.generator(tf.random.normal((n, 2)), training=True))
            g_loss = self.bce(tf.ones((n, 1)), logits)
        grads = tape.gradient(g_loss, self.generator.trainable_variables)
        self.g_opt.apply_gradients(zip(grads, self.discriminator.trainable_variables))  # cause
        return {"d": d_loss, "g": g_loss}


gan = GAN()
gan.compile(keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3))
gan.fit(np.random.default_rng(4).normal(size=(64, 3)).astype("float32"), epochs=1, batch_size=16, verbose=0)

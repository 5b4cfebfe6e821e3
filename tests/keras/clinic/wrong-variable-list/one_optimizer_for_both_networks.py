import keras
import numpy as np
import tensorflow as tf
from keras import layers


class GAN(keras.Model):
    def __init__(self):
        super().__init__()
        self.generator = keras.Sequential([keras.Input((2,)), layers.Dense(4)], name="generator")
        self.critic = keras.Sequential([keras.Input((4,)), layers.Dense(1)], name="critic")

    def train_step(self, real):
        z = tf.random.normal((8, 2))
        with tf.GradientTape() as tape:
            critic_loss = tf.reduce_mean(self.critic(self.generator(z))) - tf.reduce_mean(self.critic(real))
        weights = self.critic.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(critic_loss, weights), weights))
        with tf.GradientTape() as tape:
            generator_loss = -tf.reduce_mean(self.critic(self.generator(z)))
        weights = self.generator.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(generator_loss, weights), weights))  # cause
        return {"critic": critic_loss, "generator": generator_loss}


keras.utils.set_random_seed(0)
model = GAN()
model.compile("adam", run_eagerly=True)
model.fit(np.random.default_rng(0).normal(size=(32, 4)).astype("float32"), batch_size=8, verbose=0)

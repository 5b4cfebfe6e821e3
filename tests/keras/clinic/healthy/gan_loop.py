import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(0)
real = np.random.default_rng(0).normal(2.0, 0.5, (64, 2)).astype("float32")
generator = tf.keras.Sequential([tf.keras.Input((3,)), layers.Dense(8, activation="relu"), layers.Dense(2)])
discriminator = tf.keras.Sequential([tf.keras.Input((2,)), layers.Dense(8), layers.LeakyReLU(), layers.Dense(1)])
entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(1e-3)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def step(batch):
    noise = tf.random.normal((tf.shape(batch)[0], 3))
    with tf.GradientTape() as generator_tape, tf.GradientTape() as discriminator_tape:
        fake = generator(noise, training=True)
        fake_scores, real_scores = discriminator(fake, training=True), discriminator(batch, training=True)
        generator_loss = entropy(tf.ones_like(fake_scores), fake_scores)
        discriminator_loss = entropy(tf.ones_like(real_scores), real_scores)
        discriminator_loss += entropy(tf.zeros_like(fake_scores), fake_scores)
    gradients = generator_tape.gradient(generator_loss, generator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    gradients = discriminator_tape.gradient(discriminator_loss, discriminator.trainable_variables)
    discriminator_optimizer.apply_gradients(zip(gradients, discriminator.trainable_variables))
    return generator_loss, discriminator_loss


for _ in range(3):
    for start in range(0, 64, 16):
        losses = step(tf.constant(real[start : start + 16]))
print([round(float(each), 2) for each in losses])

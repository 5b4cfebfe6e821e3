import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
generator = keras.Sequential([keras.Input((2,)), keras.layers.Dense(8, "tanh"), keras.layers.Dense(3)], name="generator")
critic = keras.Sequential([keras.Input((3,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)], name="critic")
optimizers = keras.optimizers.RMSprop(1e-3), keras.optimizers.RMSprop(1e-3)
for _ in range(4):
    real, noise = tf.random.normal((12, 3)), tf.random.normal((12, 2))
    with tf.GradientTape() as of_critic, tf.GradientTape() as of_generator:
        fake = generator(noise)
        critic_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
        generator_loss = -tf.reduce_mean(critic(fake))
    optimizers[0].apply(of_critic.gradient(critic_loss, critic.trainable_variables), critic.trainable_variables)
    grads = of_generator.gradient(generator_loss, critic.trainable_variables)  # cause
    optimizers[1].apply(grads, critic.trainable_variables)

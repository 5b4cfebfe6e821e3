"""Both losses of a pair of networks are applied to the critic: the generator never learns."""
import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Pair:
    def __init__(self):
        self.generator = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
        self.critic = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
        self.generator.build((None, 3))
        self.critic.build((None, 2))
        self.optimizers = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)

    def step(self, real):
        with tf.GradientTape(persistent=True) as tape:
            fake = self.generator(tf.random.normal((len(real), 3)))
            critic_loss = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
            generator_loss = -tf.reduce_mean(self.critic(fake))
        weights = self.critic.trainable_variables
        self.optimizers[0].apply_gradients(zip(tape.gradient(critic_loss, weights), weights))
        grads = tape.gradient(generator_loss, weights)  # cause
        self.optimizers[1].apply_gradients(zip(grads, weights))


pair = Pair()
for _ in range(4):
    pair.step(tf.random.normal((16, 2)) + 2.0)

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
x = np.random.default_rng(10).normal(size=(20, 3)).astype("float32")
actor = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
)
critic = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def improve(states, returns):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(critic(states) - returns))
    gradients = tape.gradient(loss, actor.trainable_variables)  # cause
    optimizer.apply_gradients(zip(gradients, actor.trainable_variables))
    return loss


improve(tf.constant(x), tf.constant(x[:, :1]))

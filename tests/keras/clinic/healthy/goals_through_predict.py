"""Goals of temporal differences come from `predict` of the same network, as they should be constants."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
net = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="relu"), tf.keras.layers.Dense(2)])
net.build((None, 3))
optimizer = tf.keras.optimizers.Adam(0.01)
for _ in range(3):
    states, later = rng.normal(size=(2, 16, 3)).astype("float32")
    rewards, actions = rng.normal(size=16).astype("float32"), rng.integers(0, 2, 16)
    with tf.GradientTape() as tape:
        goals = net.predict(states, verbose=0)
        goals[np.arange(16), actions] = rewards + 0.9 * net.predict(later, verbose=0).max(axis=1)
        loss = tf.reduce_mean(tf.square(goals - net(states)))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
states = rng.normal(size=(6, 2)).astype("float32")
rewards = tf.reshape(tf.constant(rng.normal(size=6).astype("float32")), (1, -1))
critic = tf.Variable([[0.1], [0.2]])
with tf.GradientTape() as tape:
    value = tf.matmul(states, critic)
    advantage = rewards - value  # cause
    loss = tf.reduce_mean(advantage ** 2)
print(tape.gradient(loss, critic).numpy())

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
x = np.random.default_rng(19).normal(size=(16, 3)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
running = tf.keras.metrics.Mean()
with tf.GradientTape() as tape:
    running.update_state((model(x) - x[:, :1]) ** 2)  # cause
    loss = running.result()
print(tape.gradient(loss, model.trainable_variables))

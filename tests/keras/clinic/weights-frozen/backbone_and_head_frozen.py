import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
x = np.random.default_rng(11).normal(size=(20, 4)).astype("float32")
model = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)]
)
for layer in model.layers:
    layer.trainable = False  # cause
optimizer = tf.keras.optimizers.SGD(0.1)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - 1.0) ** 2)
print(tape.gradient(loss, model.trainable_variables))

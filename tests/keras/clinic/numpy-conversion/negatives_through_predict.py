"""The negatives of a contrastive loss come from `predict`, and are constants; anchor and positives are not."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
rng = np.random.default_rng(8)
inputs = rng.normal(size=(3, 10, 6)).astype("float32")
tower = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="tanh"), tf.keras.layers.Dense(4)])
tower.build((None, 6))
optimizer = tf.keras.optimizers.Adam(0.01)


def distance(a, b):
    return tf.reduce_sum(tf.abs(a - b), axis=-1)


for _ in range(3):
    with tf.GradientTape() as tape:
        anchor, positive = tower(inputs[0]), tower(inputs[1])
        negative = tower.predict(inputs[2], verbose=0)  # cause
        loss = tf.reduce_mean(tf.nn.relu(distance(anchor, positive) - distance(anchor, negative) + 1.0))
    grads = tape.gradient(loss, tower.trainable_variables)
    optimizer.apply_gradients(zip(grads, tower.trainable_variables))

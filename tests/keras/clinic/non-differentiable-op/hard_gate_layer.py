import numpy as np
import tensorflow as tf


class HardGate(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.decide = tf.keras.layers.Dense(units, name="decide")

    def call(self, x):
        open_gates = tf.cast(self.decide(x) > 0.0, tf.float32)  # cause
        return open_gates * tf.stop_gradient(x)


x = np.random.default_rng(2).normal(size=(32, 6)).astype("float32")
y = np.abs(x).sum(1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input((6,)), HardGate(6), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.keras.losses.MeanSquaredError()(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
    return loss


for _ in range(3):
    train_step(tf.constant(x), tf.constant(y))

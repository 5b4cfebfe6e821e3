"""A custom train_step that accumulates gradients over four batches before it applies them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)
rng = np.random.default_rng(24)
x = rng.normal(size=(128, 6)).astype("float32")
y = (x[:, :1] * 0.5 + 0.1).astype("float32")


class Accumulating(keras.Model):
    def __init__(self, every):
        super().__init__()
        self.every = every
        self.hidden = keras.layers.Dense(12, activation="relu")
        self.out = keras.layers.Dense(1)
        self.count = tf.Variable(0, trainable=False, dtype=tf.int32)
        self.tracker = keras.metrics.Mean(name="loss")

    def build(self, shape):
        self.hidden.build(shape)
        self.out.build((None, 12))
        self.sums = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in self.trainable_variables]

    def call(self, inputs):
        return self.out(self.hidden(inputs))

    @property
    def metrics(self):
        return [self.tracker]

    def train_step(self, data):
        inputs, targets = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(inputs, training=True) - targets))
        grads = tape.gradient(loss, self.trainable_variables)
        self.count.assign_add(1)
        for total, grad in zip(self.sums, grads):
            total.assign_add(grad / self.every)
        tf.cond(tf.equal(self.count % self.every, 0), self.apply, lambda: None)
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}

    def apply(self):
        self.optimizer.apply_gradients(zip(self.sums, self.trainable_variables))
        for total in self.sums:
            total.assign(tf.zeros_like(total))


model = Accumulating(4)
model.compile(optimizer=keras.optimizers.SGD(0.1))
model.build((None, 6))
history = model.fit(x, y, batch_size=16, epochs=3, verbose=0)
print([round(v, 3) for v in history.history["loss"]])

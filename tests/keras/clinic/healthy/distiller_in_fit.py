"""A student learns from a frozen teacher inside train_step, with a temperature."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(25)
rng = np.random.default_rng(25)
x = rng.normal(size=(60, 6)).astype("float32")
y = rng.integers(0, 3, 60)


def net(width):
    return keras.Sequential([keras.Input((6,)), keras.layers.Dense(width, activation="relu"), keras.layers.Dense(3)])


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.student, self.teacher = student, teacher

    def call(self, inputs):
        return self.student(inputs)

    def train_step(self, data):
        inputs, labels = data
        soft = tf.nn.softmax(self.teacher(inputs, training=False) / 3.0)
        with tf.GradientTape() as tape:
            logits = self.student(inputs, training=True)
            hard = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
            kl = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=logits / 3.0)) * 9.0
            loss = 0.3 * hard + 0.7 * kl
        variables = self.student.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}


teacher = net(32)
teacher.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
teacher.fit(x, y, epochs=1, verbose=0)
distiller = Distiller(net(8), teacher)
distiller.compile(optimizer=keras.optimizers.Adam(1e-2))
print(len(distiller.fit(x, y, epochs=2, batch_size=20, verbose=0).history["loss"]))

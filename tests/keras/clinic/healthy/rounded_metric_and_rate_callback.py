"""A metric that rounds, a callback that changes the rate, a test with evaluate and a saved best model."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(25)
rng = np.random.default_rng(25)
x = rng.normal(size=(100, 6)).astype("float32")
y = (x[:, :1] + x[:, 1:2] > 0).astype("float32")


class F1(keras.metrics.Metric):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.tp = self.add_weight(name="tp", initializer="zeros")
        self.wrong = self.add_weight(name="wrong", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        hard = tf.round(y_pred)
        self.tp.assign_add(tf.reduce_sum(hard * y_true))
        self.wrong.assign_add(tf.reduce_sum(tf.abs(hard - y_true)))

    def result(self):
        return 2 * self.tp / (2 * self.tp + self.wrong + 1e-7)


class Halve(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        rate = float(self.model.optimizer.learning_rate)
        self.model.optimizer.learning_rate = rate / 2


model = keras.Sequential(
    [
        keras.Input((6,)),
        keras.layers.Dense(8, activation="relu", kernel_regularizer="l2"),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=[F1(name="f1")])
model.fit(x[:80], y[:80], validation_data=(x[80:], y[80:]), epochs=3, callbacks=[Halve()], verbose=0)
print(model.evaluate(x[80:], y[80:], verbose=0))

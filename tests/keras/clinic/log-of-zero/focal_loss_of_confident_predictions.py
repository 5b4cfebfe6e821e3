"""A focal loss written with probabilities, on a model that is already certain."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(6)
x = rng.normal(size=(64, 4)).astype("float32") * 40.0
y = (x[:, :1] > 0).astype("float32")


class FocalLoss(keras.losses.Loss):
    def __init__(self, gamma=2.0, alpha=0.25):
        super().__init__(name="focal")
        self.gamma = gamma
        self.alpha = alpha

    def call(self, y_true, y_pred):
        positive = -self.alpha * y_true * tf.pow(1.0 - y_pred, self.gamma) * tf.math.log(y_pred)  # cause
        negative = (1.0 - self.alpha) * (1.0 - y_true) * tf.pow(y_pred, self.gamma)
        negative = -negative * tf.math.log(1.0 - y_pred + 1e-7)
        return tf.reduce_mean(positive + negative, axis=-1)


start = keras.initializers.Constant(1.5)
model = keras.Sequential(
    [
        keras.Input((4,)),
        keras.layers.Dense(1, kernel_initializer=start, activation="sigmoid", name="probability"),
    ]
)
model.compile(optimizer=keras.optimizers.SGD(0.01), loss=FocalLoss())
history = model.fit(x, y, batch_size=16, epochs=2, shuffle=False, verbose=0)
print("loss by epoch:", history.history["loss"])
print("weights:", model.get_weights()[0].ravel())

import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)
x = rng.normal(size=(80, 5)).astype("float32")
y = (x @ rng.normal(size=(5, 1)) + 0.1 * rng.normal(size=(80, 1))).astype("float32")
model = tf.keras.Sequential(
    [tf.keras.Input((5,)), tf.keras.layers.Dense(8, activation="elu"), tf.keras.layers.Dense(1)]
)
model.compile(tf.keras.optimizers.RMSprop(0.01), "mse", metrics=["mae"])
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "best.weights.h5")
    callbacks = [
        tf.keras.callbacks.ModelCheckpoint(path, save_best_only=True, save_weights_only=True),
        tf.keras.callbacks.EarlyStopping(patience=2, restore_best_weights=True),
        tf.keras.callbacks.ReduceLROnPlateau(patience=1),
        tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: None),
        tf.keras.callbacks.TerminateOnNaN(),
    ]
    model.fit(x, y, validation_split=0.25, epochs=4, batch_size=20, callbacks=callbacks, verbose=0)
    model.load_weights(path)
print(model.predict(x, verbose=0).shape)

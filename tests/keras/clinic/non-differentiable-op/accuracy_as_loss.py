import keras
import numpy as np
from keras import ops


def negative_accuracy(y_true, y_pred):
    hits = ops.equal(ops.cast(y_true, "int32"), ops.cast(ops.round(y_pred), "int32"))  # cause
    return -ops.mean(ops.cast(hits, "float32"))


keras.utils.set_random_seed(0)
x = np.random.default_rng(3).normal(size=(30, 4)).astype("float32")
model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", negative_accuracy)
model.fit(x, (x[:, :1] > 0).astype("float32"), verbose=0)

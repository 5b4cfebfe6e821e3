import keras
import numpy as np
from keras import ops

margin = keras.Variable(0.2, name="margin")  # cause


def ranking(y_true, score):
    return ops.mean(ops.relu(margin - y_true * score)) + ops.square(margin - 1.0)


rng = np.random.default_rng(0)
x = rng.normal(size=(30, 3)).astype("float32")
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", ranking)
model.fit(x, np.sign(x[:, :1]), epochs=2, verbose=0)

import keras
import numpy as np

rng = np.random.default_rng(6)
x = rng.normal(size=(40, 3)).astype("float32")
y = (x[:, 0] > 0).astype("int32")
scores = []
for fold in range(5):
    keras.utils.set_random_seed(fold)
    held_out = np.arange(40) % 5 == fold
    model = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(2, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x[~held_out], y[~held_out], epochs=2, verbose=0)
    scores.append(model.evaluate(x[held_out], y[held_out], verbose=0)[1])
print(len(scores))

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
rng = np.random.default_rng(4)
words = rng.integers(1, 30, (60, 6))
labels = (words.sum(1) % 2).astype("float32")[:, None]
data = tf.data.Dataset.from_tensor_slices((words, labels)).shuffle(60, seed=1).batch(16).prefetch(2)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Embedding(30, 4, mask_zero=True),
        tf.keras.layers.GRU(5),
        tf.keras.layers.Dropout(0.2),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ]
)
model.compile("adam", "binary_crossentropy", metrics=["accuracy", tf.keras.metrics.AUC()])
model.fit(data, epochs=2, verbose=0)
print(len(model.weights))

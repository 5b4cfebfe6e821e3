"""Token numbers start at 1, and the embedding has as many rows as there are words."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

texts = ["good film", "very bad film", "good good plot", "bad plot very slow", "slow film"]
labels = np.array([1, 0, 1, 0, 0], "float32")

words = sorted({word for text in texts for word in text.split()})
number_of = {word: i + 1 for i, word in enumerate(words)}
length = max(len(text.split()) for text in texts)
ids = np.zeros((len(texts), length), "int32")
for row, text in enumerate(texts):
    for column, word in enumerate(text.split()):
        ids[row, column] = number_of[word]


class Classifier(keras.Model):
    def __init__(self, vocabulary):
        super().__init__()
        self.embed = keras.layers.Embedding(vocabulary, 4)  # cause
        self.pool = keras.layers.GlobalAveragePooling1D()
        self.out = keras.layers.Dense(1)

    def call(self, tokens):
        return self.out(self.pool(self.embed(tokens)))  # cause


model = Classifier(len(words))
optimizer = keras.optimizers.Adam(0.01)
bce = keras.losses.BinaryCrossentropy(from_logits=True)
for epoch in range(3):
    with tf.GradientTape() as tape:
        logits = model(tf.constant(ids))
        loss = bce(labels[:, None], logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss))

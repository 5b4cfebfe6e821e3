"""Models whose losses on whygrad are compared with TensorFlow's. `python -m tests.keras.models` prints TensorFlow's, as JSON."""

import json

import numpy as np

EPOCHS = 4


def _data():
    rng = np.random.default_rng(0)
    words = rng.integers(1, 50, (64, 12))
    words[:, 9:] = 0
    series = rng.random((64, 12, 3), dtype=np.float32)
    images = rng.random((64, 12, 12, 3), dtype=np.float32)
    rows = rng.random((64, 10), dtype=np.float32)
    return words, series, images, rows, (rows.sum(1, keepdims=True) > 5).astype("float32"), rng.integers(0, 4, 64)


WORDS, SERIES, IMAGES, ROWS, YES_OR_NO, CLASSES = _data()


def models(tf, keras):
    """By name, a function that makes a model, and returns it with its data, optimizer and loss."""
    layers = keras.layers
    logits = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def classifier(*parts):
        return keras.Sequential([*parts, layers.Dense(4, activation="softmax")])

    def embedding(optimizer):
        parts = [layers.Embedding(50, 8), layers.GlobalAveragePooling1D(), layers.Dense(1, activation="sigmoid")]
        return keras.Sequential(parts), WORDS, YES_OR_NO, optimizer, "binary_crossentropy"

    def recurrent(cell, masked):
        parts = [layers.Embedding(50, 8, mask_zero=masked), cell(6)]
        return classifier(*parts), WORDS, CLASSES, "adam", "sparse_categorical_crossentropy"

    def mlp():
        parts = [layers.Dense(16, activation="relu"), layers.Dropout(0.3, seed=1)]
        return classifier(*parts), ROWS, CLASSES, "adam", "sparse_categorical_crossentropy"

    def cnn():
        parts = [
            layers.Conv2D(4, 3, padding="same", activation="relu"), layers.BatchNormalization(), layers.MaxPooling2D(),
            layers.DepthwiseConv2D(3), layers.Flatten(), layers.Dense(4),
        ]  # fmt: skip
        return keras.Sequential(parts), IMAGES, CLASSES, "adam", logits

    def attention():
        given = keras.Input((12, 3))
        hidden = layers.Dense(8)(given)
        uniform = keras.initializers.RandomUniform(-0.5, 0.5, seed=7)  # the default one depends on the version of Keras
        hidden = layers.LayerNormalization()(
            hidden + layers.MultiHeadAttention(2, 4, kernel_initializer=uniform)(hidden, hidden)
        )
        output = layers.Dense(4)(layers.GlobalMaxPooling1D()(hidden))
        return keras.Model(given, output), SERIES, CLASSES, "adamw", logits

    class GradientPenalty(keras.Model):
        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compute_loss(y=y, y_pred=self(x, training=True))
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    output = self(x, training=True)
                slope = inner.gradient(output, x)
                loss += 0.1 * tf.reduce_mean((tf.norm(slope, axis=1) - 1.0) ** 2)
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
            self._loss_tracker.update_state(loss)
            return {"loss": self._loss_tracker.result()}

    def gradient_penalty():
        given = keras.Input((10,))
        output = layers.Dense(1)(layers.Dense(8, activation="tanh")(given))
        return GradientPenalty(given, output), ROWS, YES_OR_NO, "sgd", "mse"

    class Sampling(layers.Layer):
        def __init__(self):
            super().__init__()
            self.seed_generator = keras.random.SeedGenerator(3)

        def call(self, given):
            mean, log_variance = given
            noise = keras.random.normal(keras.ops.shape(mean), seed=self.seed_generator)
            return mean + keras.ops.exp(0.5 * log_variance) * noise

    class Autoencoder(keras.Model):
        def __init__(self):
            super().__init__()
            self.encoder = layers.Dense(8, activation="relu")
            self.mean, self.log_variance = layers.Dense(2), layers.Dense(2)
            self.sampling = Sampling()
            self.decoder = layers.Dense(10, activation="sigmoid")

        def call(self, x):
            hidden = self.encoder(x)
            mean, log_variance = self.mean(hidden), self.log_variance(hidden)
            self.add_loss(-0.5 * keras.ops.mean(1 + log_variance - mean**2 - keras.ops.exp(log_variance)))
            return self.decoder(self.sampling((mean, log_variance)))

    class Adversaries(keras.Model):
        def __init__(self):
            super().__init__()
            self.generator = keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(10)])
            self.critic = keras.Sequential([layers.Dense(8, activation="tanh"), layers.Dense(1)])
            self.other = keras.optimizers.Adam(0.01)
            self.seed_generator = keras.random.SeedGenerator(5)

        def call(self, x):
            return self.critic(self.generator(x))

        def train_step(self, data):
            real, _ = data
            noise = keras.random.normal((24, 3), seed=self.seed_generator)
            entropy = keras.losses.BinaryCrossentropy(from_logits=True)
            with tf.GradientTape() as tape:
                fake, true = self.critic(self.generator(noise)), self.critic(real)
                loss = entropy(tf.ones_like(true), true) + entropy(tf.zeros_like(fake), fake)
            self.optimizer.apply(tape.gradient(loss, self.critic.trainable_weights), self.critic.trainable_weights)
            with tf.GradientTape() as tape:
                fake = self.critic(self.generator(noise))
                loss_of_generator = entropy(tf.ones_like(fake), fake)
            weights = self.generator.trainable_weights
            self.other.apply(tape.gradient(loss_of_generator, weights), weights)
            self._loss_tracker.update_state(loss + loss_of_generator)
            return {"loss": self._loss_tracker.result()}

    def mixed_precision():
        parts = [layers.Dense(16, activation="relu", dtype="mixed_float16"), layers.Dense(1, dtype="float32")]
        return keras.Sequential(parts), ROWS, YES_OR_NO, "adam", "mse"

    def convolutions_in_time():
        parts = [
            layers.Conv1D(4, 3, activation="gelu"), layers.SeparableConv1D(4, 2), layers.GlobalMaxPooling1D(), layers.Dense(1),
        ]  # fmt: skip
        return keras.Sequential(parts), SERIES, YES_OR_NO, "sgd", "huber"

    def regularized():
        parts = [
            layers.Dense(16, activation="elu", kernel_regularizer="l2", kernel_constraint="max_norm"),
            layers.UnitNormalization(), layers.Dense(1, activation="sigmoid"),
        ]  # fmt: skip
        optimizer = keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True, clipnorm=1.0, use_ema=True)
        return keras.Sequential(parts), ROWS, YES_OR_NO, optimizer, "binary_crossentropy"

    def both_directions():
        parts = [layers.Bidirectional(layers.SimpleRNN(4))]
        return classifier(*parts), SERIES, CLASSES, "nadam", "sparse_categorical_crossentropy"

    return {
        "mlp": mlp,
        "cnn": cnn,
        "embedding, adam": lambda: embedding("adam"),
        "embedding, rmsprop": lambda: embedding("rmsprop"),
        "embedding, adagrad": lambda: embedding("adagrad"),
        "masked lstm": lambda: recurrent(layers.LSTM, True),
        "masked gru": lambda: recurrent(layers.GRU, True),
        "lstm": lambda: recurrent(layers.LSTM, False),
        "both directions": both_directions,
        "attention": attention,
        "gradient penalty": gradient_penalty,
        "variational autoencoder": lambda: (Autoencoder(), ROWS, ROWS, "adam", "mse"),
        "adversaries": lambda: (Adversaries(), ROWS, ROWS, "adam", "mse"),
        "mixed precision": mixed_precision,
        "convolutions in time": convolutions_in_time,
        "regularized": regularized,
    }


def losses(keras, make, run_eagerly):
    """The losses of each epoch."""
    keras.backend.clear_session()
    keras.utils.set_random_seed(0)
    model, x, y, optimizer, loss = make()
    model.compile(optimizer, loss, run_eagerly=run_eagerly)
    size = 24 if "Adversaries" not in type(model).__name__ else 32
    return model.fit(x, y, epochs=EPOCHS, batch_size=size, verbose=0).history["loss"]


if __name__ == "__main__":
    import keras
    import tensorflow as tf

    print(json.dumps({name: losses(keras, make, False) for name, make in models(tf, keras).items()}, indent=1))

"""A Keras model that classifies handwritten digits: `fit`, with Keras 3 itself on whygrad.

Convolutions with batch normalization, dropout and a learning rate that falls, trained on three quarters of scikit-learn's 1797
digits and tested on the rest. With JAX installed (`whygrad[xla]`) each step is compiled.

    pip install '.[examples,keras]'
    python examples/keras_digits.py --out keras.png
"""

import numpy as np
from common import BLUE, INK, ORANGE, arguments, curve, digits, plt, save, show

import whygrad as tf

BATCH = 64


def network(steps):
    """A compiled Keras model."""
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            tf.keras.Input((8, 8, 1)),
            layers.Conv2D(24, 3, padding="same", use_bias=False),
            layers.BatchNormalization(momentum=0.9),
            layers.ReLU(),
            layers.Conv2D(32, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(48, 3, padding="same", activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dropout(0.2),
            layers.Dense(10),
        ]
    )
    rate = tf.keras.optimizers.schedules.CosineDecay(4e-3, steps)
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(tf.keras.optimizers.Adam(rate), loss, metrics=["accuracy"])
    return model


def split(images, labels, rng):
    """Hold out a quarter of the digits for the test."""
    order = rng.permutation(len(images))
    test, rest = order[: len(order) // 4], order[len(order) // 4 :]
    return (images[rest], labels[rest]), (images[test], labels[test])


class Losses(tf.keras.callbacks.Callback):
    """Collects the mean loss since the beginning of the epoch after each step."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def on_train_batch_end(self, batch, logs=None):
        self.seen.append(float(logs["loss"]))


def picture(images, labels, probabilities, losses):
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 4.6), layout="constrained")
    curve(left, losses, "Cross entropy along training, mean over each epoch", BLUE)
    left.set_yscale("log")
    left.set_box_aspect(1)

    guesses = probabilities.argmax(axis=1)
    counts = np.zeros((10, 10), dtype=int)
    np.add.at(counts, (labels, guesses), 1)
    mistakes = np.where(np.eye(10) == 1, 0, counts)
    show(middle, mistakes, "Test digits: as written (down), as read (across)", cmap="Oranges", vmin=0, vmax=4)
    middle.set_xticks(range(10))
    middle.set_yticks(range(10))

    certainty = probabilities.max(axis=1)
    right.set_title("How certain the model is of each test digit")
    right.hist([certainty[guesses == labels], certainty[guesses != labels]], 20, stacked=True, color=[BLUE, ORANGE])
    right.legend(["right", "wrong"])
    right.set_yscale("log")
    right.set_xlabel("largest probability", color=INK)
    right.set_box_aspect(1)
    return figure


def main(argv=None):
    chosen = arguments(__file__, argv, steps=630, small=90)
    tf.keras.utils.set_random_seed(chosen.seed)
    train, test = split(*digits(), np.random.default_rng(chosen.seed))
    model, losses = network(chosen.steps), Losses()
    epochs = -(-chosen.steps * BATCH // len(train[0]))
    model.fit(*train, batch_size=BATCH, epochs=epochs, callbacks=[losses], verbose=0)
    probabilities = tf.nn.softmax(model.predict(test[0], verbose=0)).numpy()
    right = int((probabilities.argmax(axis=1) == test[1]).sum())
    print(f"loss {losses.seen[0]:.3f} at first, {losses.seen[-1]:.3f} at last")
    print(f"test accuracy {right / len(test[1]):.3f}: {right} of {len(test[1])} digits")
    save(picture(*test, probabilities, losses.seen), chosen.out)


if __name__ == "__main__":
    main()

"""A convolutional network that classifies handwritten digits.

Three 3x3 convolutions with max pooling, dropout and a dense layer, trained on three quarters of scikit-learn's 1797 digits and
tested on the rest. Each training image is shifted by up to a pixel each time it is seen.

    python examples/cnn_digits.py --out cnn.png
"""

import numpy as np
from common import BLUE, INK, ORANGE, Adam, arguments, bias, curve, digits, plt, save, show, watch, weights

import whygrad as tf

BATCH, KEPT = 64, 0.7


class Classifier:
    def __init__(self, rng):
        self.conv1, self.bias1 = weights(rng, 3, 3, 1, 24), bias(24)
        self.conv2, self.bias2 = weights(rng, 3, 3, 24, 32), bias(32)
        self.conv3, self.bias3 = weights(rng, 3, 3, 32, 48), bias(48)
        self.dense, self.dense_bias = weights(rng, 2 * 2 * 48, 10), bias(10)
        self.variables = list(vars(self).values())

    def __call__(self, images, kept=None):
        """Return logits (batch, 10). `kept` is dropout's scaled mask over the last features; None for inference."""
        x = tf.nn.relu(tf.nn.conv2d(images, self.conv1, strides=1, padding="SAME") + self.bias1)
        x = tf.nn.relu(tf.nn.conv2d(x, self.conv2, strides=1, padding="SAME") + self.bias2)
        x = tf.nn.max_pool2d(x, ksize=2, strides=2, padding="VALID")
        x = tf.nn.relu(tf.nn.conv2d(x, self.conv3, strides=1, padding="SAME") + self.bias3)
        x = tf.nn.max_pool2d(x, ksize=2, strides=2, padding="VALID")
        x = tf.reshape(x, (-1, 2 * 2 * 48))
        if kept is not None:
            x = x * kept
        return x @ self.dense + self.dense_bias


def split(images, labels, rng):
    """Hold out a quarter of the digits for the test."""
    order = rng.permutation(len(images))
    test, rest = order[: len(order) // 4], order[len(order) // 4 :]
    return (images[rest], labels[rest]), (images[test], labels[test])


def shifted(images, rng):
    """Shift each image by -1, 0 or 1 pixels in each direction."""
    wide = np.pad(images, [(0, 0), (1, 1), (1, 1), (0, 0)])
    corners = rng.integers(3, size=(len(wide), 2))
    return np.stack([image[down : down + 8, right : right + 8] for image, (down, right) in zip(wide, corners)])


def train(model, images, labels, rng, steps):
    """Yield the loss of each step."""
    optimizer = Adam(model.variables)
    for step in range(steps):
        optimizer.rate = 2e-3 if step < 0.7 * steps else 4e-4
        chosen = rng.integers(len(images), size=BATCH)
        kept = (rng.random((BATCH, 2 * 2 * 48)) < KEPT).astype("float32") / KEPT
        with tf.GradientTape() as tape:
            logits = model(shifted(images[chosen], rng), kept)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels[chosen], logits=logits))
        optimizer.apply(tape.gradient(loss, model.variables))
        yield float(loss)


def picture(images, labels, probabilities, losses):
    figure, (left, middle, right) = plt.subplots(
        1, 3, figsize=(14, 4.6), layout="constrained", width_ratios=[1, 1, 1.1]
    )
    curve(left, losses, "Cross entropy along training", BLUE)
    left.set_yscale("log")
    left.set_box_aspect(1)

    guesses = probabilities.argmax(axis=1)
    counts = np.zeros((10, 10), dtype=int)
    np.add.at(counts, (labels, guesses), 1)
    mistakes = np.where(np.eye(10) == 1, 0, counts)
    show(middle, mistakes, "Test digits: as written (down), as read (across)", cmap="Oranges", vmin=0, vmax=4)
    middle.set_xticks(range(10))
    middle.set_yticks(range(10))
    for row, column in zip(*np.nonzero(counts)):
        middle.text(column, row, counts[row, column], ha="center", va="center", fontsize=8)

    right.set_title("The digits it was least sure of, right or wrong")
    right.set_axis_off()
    doubtful = np.argsort(probabilities[np.arange(len(labels)), labels])[:15]
    for place, index in enumerate(doubtful):
        cell = right.inset_axes([0.2 * (place % 5) + 0.02, 0.69 - 0.335 * (place // 5), 0.16, 0.235])
        wrong = guesses[index] != labels[index]
        show(cell, images[index, :, :, 0], "")
        read = f"{labels[index]} read as {guesses[index]}\n{probabilities[index].max():.0%} sure"
        cell.set_xlabel(read, fontsize=7, color=ORANGE if wrong else INK)
    return figure


def main(argv=None):
    chosen = arguments(__file__, argv, steps=1200, small=120)
    rng = np.random.default_rng(chosen.seed)
    (images, labels), (test_images, test_labels) = split(*digits(), rng)
    model = Classifier(rng)
    losses = watch(train(model, images, labels, rng, chosen.steps), chosen.steps)
    probabilities = tf.nn.softmax(model(test_images)).numpy()
    right = probabilities.argmax(axis=1) == test_labels
    print(f"loss {losses[0]:.3f} at first, {np.mean(losses[-20:]):.3f} at last")
    print(f"test accuracy {right.mean():.4f}: {right.sum()} of {len(right)} digits that it had never seen")
    save(picture(test_images, test_labels, probabilities, losses), chosen.out)


if __name__ == "__main__":
    main()

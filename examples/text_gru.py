"""A recurrent network that writes in the manner of Shakespeare's sonnets, one character at a time.

A gated recurrent unit (GRU), written out on the tape, reads 22 sonnets (data/sonnets.txt) in windows of 48 characters and
learns to predict the next character; two more sonnets are held out. At the end it continues a few words by itself.

    python examples/text_gru.py --out gru.png
"""

import pathlib
import textwrap

import numpy as np
from common import BLUE, ORANGE, Adam, arguments, bias, curve, plt, save, show, watch

import whygrad as tf

HIDDEN, BATCH, WINDOW, KEPT = 128, 32, 48, 0.7
SONNETS = pathlib.Path(__file__).parent / "data" / "sonnets.txt"


class Text:
    """The sonnets as character codes: `learned` to train on, `unseen` (the last two sonnets) to test on."""

    def __init__(self):
        text = SONNETS.read_text(encoding="utf-8")
        self.characters = sorted(set(text))
        sonnets = text.split("\n\n")
        self.learned = self.encode("\n\n".join(sonnets[:-2]))
        self.unseen = self.encode("\n\n".join(sonnets[-2:]))

    def encode(self, text):
        return np.array([self.characters.index(c) for c in text], dtype="int32")

    def decode(self, codes):
        return "".join(self.characters[code] for code in codes)


class Recurrent:
    def __init__(self, characters, rng):
        def uniform(*shape):
            return tf.Variable(rng.uniform(-1, 1, size=shape).astype("float32") / np.float32(HIDDEN**0.5))

        self.read, self.recur = uniform(characters, 3 * HIDDEN), uniform(HIDDEN, 3 * HIDDEN)
        self.read_bias, self.recur_bias = bias(3 * HIDDEN), bias(3 * HIDDEN)
        self.write, self.write_bias = uniform(HIDDEN, characters), bias(characters)
        self.variables = list(vars(self).values())

    def step(self, state, read):
        """Return the new state (batch, HIDDEN) from the old one and the character that was read."""
        read_reset, read_update, read_new = tf.split(read, 3, axis=1)
        reset, update, new = tf.split(state @ self.recur + self.recur_bias, 3, axis=1)
        reset = tf.sigmoid(read_reset + reset)  # how much of the past the new content sees
        update = tf.sigmoid(read_update + update)  # how much of the past is kept
        new = tf.tanh(read_new + reset * new)
        return update * state + (1.0 - update) * new

    def __call__(self, codes, state, kept=1.0):
        """Return the logits for the next character, (batch, time, characters), and the last state.

        `kept` is dropout's mask over the output states while training.
        """
        read = tf.gather(self.read, codes) + self.read_bias
        states = []
        for moment in tf.unstack(read, axis=1):
            state = self.step(state, moment)
            states.append(state)
        return (tf.stack(states, axis=1) * kept) @ self.write + self.write_bias, state


def surprise(model, codes, kept=1.0):
    """Return the bits per character after the first, (batch, time - 1): -log2 of the predicted probability."""
    logits, _ = model(codes[:, :-1], tf.zeros((len(codes), HIDDEN)), kept)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=codes[:, 1:], logits=logits) / float(np.log(2))


def train(model, text, rng, steps):
    """Yield the mean bits per character, step by step."""
    optimizer = Adam(model.variables)
    for step in range(steps):
        optimizer.rate = 4e-3 * (1 - step / steps)
        starts = rng.integers(len(text.learned) - WINDOW, size=BATCH)
        windows = np.stack([text.learned[start : start + WINDOW + 1] for start in starts])
        kept = (rng.random((BATCH, 1, HIDDEN)) < KEPT).astype("float32") / KEPT
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(surprise(model, windows, kept))
        gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, model.variables), 1.0)
        optimizer.apply(gradients)
        yield float(loss)


def write(model, text, beginning, length, rng, temperature=0.4):
    """Continue `beginning`, drawing each character from the model's prediction."""
    codes = list(text.encode(beginning))
    logits, state = model(np.array([codes], dtype="int32"), tf.zeros((1, HIDDEN)))
    for _ in range(length):
        chances = tf.nn.softmax(logits[0, -1] / temperature).numpy().astype("float64")
        codes.append(rng.choice(len(chances), p=chances / chances.sum()))
        logits, state = model(np.array([codes[-1:]], dtype="int32"), state)
    return text.decode(codes)


def picture(losses, unseen_bits, text, written):
    figure, (left, middle, right) = plt.subplots(
        1, 3, figsize=(15, 4.2), layout="constrained", width_ratios=[1, 1.35, 1]
    )
    curve(left, losses, "Bits for each character", BLUE, "22 sonnets it learns from, along training")
    left.axhline(unseen_bits.mean(), color=ORANGE, linestyle="--", label="2 sonnets it has not seen, at the end")
    left.set_ylim(0, 6)
    left.legend(loc="lower left", fontsize=8)

    lines = text.decode(text.unseen).split("\n")[:14]
    grid = np.zeros((14, max(map(len, lines))))
    place = 0
    for row, line in enumerate(lines):
        for column, character in enumerate(line):
            grid[row, column] = unseen_bits[place - 1] if place else 0
            middle.text(column, row, character, ha="center", va="center", family="monospace", fontsize=7)
            place += 1
        place += 1  # the end of the line
    title = "A sonnet it has not seen: how surprising is each character?"
    image = show(middle, grid, title, cmap="Oranges", vmin=0, vmax=15, aspect="auto")
    figure.colorbar(image, ax=middle, label="bits", shrink=0.8)

    right.set_title("What it writes by itself")
    right.set_axis_off()
    lines = [part for line in written.split("\n") for part in textwrap.wrap(line, 58, subsequent_indent="    ") or [""]]
    right.text(0, 0.97, "\n".join(lines[:24]), va="top", family="monospace", fontsize=7.5, transform=right.transAxes)
    return figure


def main(argv=None):
    chosen = arguments(__file__, argv, steps=1000, small=30)
    rng = np.random.default_rng(chosen.seed)
    text = Text()
    model = Recurrent(len(text.characters), rng)
    losses = watch(train(model, text, rng, chosen.steps), chosen.steps)
    unseen_bits = surprise(model, text.unseen[None]).numpy()[0]
    print(
        f"bits for a character: {losses[0]:.3f} at first, {np.mean(losses[-20:]):.3f} at last, {unseen_bits.mean():.3f} unseen"
    )
    written = write(model, text, "When I", 100 if chosen.small else 500, rng)
    print(written)
    save(picture(losses, unseen_bits, text, written), chosen.out)


if __name__ == "__main__":
    main()

"""A variational autoencoder that learns to write digits.

The encoder turns an 8x8 digit into the mean and spread of a 10-dimensional normal distribution, the decoder turns a draw from
it back into a digit. The loss is the negative evidence lower bound: the reconstruction error, in nats, plus the divergence of the
distribution from a standard normal. After training, a draw from the standard normal decodes to a new digit.

    python examples/vae_digits.py --out vae.png
"""

import numpy as np
from common import BLUE, GREEN, ORANGE, Adam, arguments, bias, curve, digits, plt, save, show, tile, watch, weights

import whygrad as tf

LATENT, HIDDEN, BATCH = 10, 256, 128
SPREAD = 0.2  # standard deviation of a pixel, between 0 and 1, around the decoder's output: smaller is sharper


class Autoencoder:
    def __init__(self, rng):
        self.encoder = [weights(rng, 64, HIDDEN), bias(HIDDEN), weights(rng, HIDDEN, 2 * LATENT), bias(2 * LATENT)]
        self.decoder = [weights(rng, LATENT, HIDDEN), bias(HIDDEN), weights(rng, HIDDEN, 64), bias(64)]
        self.variables = self.encoder + self.decoder

    def encode(self, images):
        """Return the mean and the logarithm of the variance, each (batch, LATENT)."""
        w1, b1, w2, b2 = self.encoder
        hidden = tf.nn.relu(tf.reshape(images, (-1, 64)) @ w1 + b1)
        return tf.split(hidden @ w2 + b2, 2, axis=1)

    def decode(self, codes):
        """Return images (batch, 8, 8, 1) between 0 and 1."""
        w1, b1, w2, b2 = self.decoder
        return tf.reshape(tf.sigmoid(tf.nn.relu(codes @ w1 + b1) @ w2 + b2), (-1, 8, 8, 1))


def loss_parts(model, images, noise):
    """Return the mean reconstruction error and the mean Kullback-Leibler divergence of a batch, in nats per digit."""
    mean, log_variance = model.encode(images)
    codes = mean + tf.exp(0.5 * log_variance) * noise  # reparameterized draw: mean and variance get gradients
    errors = (model.decode(codes) - images) / SPREAD
    reconstruction = 0.5 * tf.reduce_sum(errors**2, axis=[1, 2, 3])
    divergence = 0.5 * tf.reduce_sum(tf.exp(log_variance) + mean**2 - 1.0 - log_variance, axis=1)
    return tf.reduce_mean(reconstruction), tf.reduce_mean(divergence)


def train(model, images, rng, steps):
    """Yield (loss, reconstruction, divergence) after each step."""
    optimizer = Adam(model.variables, rate=2e-3)
    for _ in range(steps):
        batch = images[rng.integers(len(images), size=BATCH)]
        noise = rng.normal(size=(BATCH, LATENT)).astype("float32")
        with tf.GradientTape() as tape:
            reconstruction, divergence = loss_parts(model, batch, noise)
            loss = reconstruction + divergence
        optimizer.apply(tape.gradient(loss, model.variables))
        yield float(loss), float(reconstruction), float(divergence)


def picture(model, images, labels, losses, rng):
    figure, axes = plt.subplots(2, 2, figsize=(9, 8.4), layout="constrained")

    tens = (
        np.concatenate([np.flatnonzero(labels == digit)[:5] for digit in range(10)]).reshape(10, 5).T
    )  # rows of 0 to 9
    mean, _ = model.encode(images[tens.ravel()])
    returned = model.decode(mean).numpy()
    pairs = np.stack([images[tens], returned.reshape(5, 10, 8, 8, 1)], axis=1)
    show(axes[0, 0], tile(pairs.reshape(-1, 8, 8, 1), 10), "Real digits, and under each what comes back")

    drawn = model.decode(rng.normal(size=(100, LATENT)).astype("float32"))
    show(axes[0, 1], tile(drawn, 10), "New digits: decoded draws from a standard normal")

    steps = np.linspace(0, 1, 10, dtype="float32")[:, None]
    ends, _ = model.encode(images[tens[:2].ravel()])
    ends = ends.numpy()
    ways = [(1 - steps) * ends[i] + steps * ends[10 + (i + 1) % 10] for i in range(10)]
    show(axes[1, 0], tile(model.decode(np.concatenate(ways)), 10), "On the straight line from each digit to the next")

    for column, (color, label) in enumerate([(BLUE, "loss"), (ORANGE, "reconstruction"), (GREEN, "divergence")]):
        curve(axes[1, 1], [row[column] for row in losses], "Loss along training (nats for one digit)", color, label)
    axes[1, 1].set_box_aspect(1)
    axes[1, 1].set_ylim(0, 45)
    axes[1, 1].legend()
    return figure


def main(argv=None):
    chosen = arguments(__file__, argv, steps=5000, small=60)
    rng = np.random.default_rng(chosen.seed)
    images, labels = digits()
    model = Autoencoder(rng)
    losses = watch(train(model, images, rng, chosen.steps), chosen.steps)
    loss, reconstruction, divergence = np.mean(losses[-min(50, chosen.steps) :], axis=0)
    print(
        f"first loss {losses[0][0]:.2f}, last {loss:.2f} = reconstruction {reconstruction:.2f} + divergence {divergence:.2f}"
    )
    save(picture(model, images, labels, losses, rng), chosen.out)


if __name__ == "__main__":
    main()

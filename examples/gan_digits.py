"""Two networks play against each other until one of them writes digits.

The generator turns noise into an 8x8 image with transposed convolutions; the discriminator, a small convolutional network,
scores how real an image looks. Each step trains the discriminator to tell real images from generated ones, and the generator to
pass as real; one persistent tape gives both gradients. A penalty on the discriminator's slope at the real images keeps training
stable (R1; Mescheder, Geiger and Nowozin, 2018): a gradient inside a loss, so a tape inside a tape.

    python examples/gan_digits.py --out gan.png
"""

import numpy as np
from common import BLUE, ORANGE, Adam, arguments, bias, curve, digits, plt, save, show, tile, watch, weights

import whygrad as tf

NOISE, BATCH, PENALTY = 24, 64, 0.1


class Generator:
    def __init__(self, rng):
        self.dense, self.dense_bias = weights(rng, NOISE, 2 * 2 * 64), bias(2 * 2 * 64)
        self.up1, self.up1_bias = weights(rng, 4, 4, 32, 64), bias(32)  # transposed: height, width, out, in
        self.up2, self.up2_bias = weights(rng, 4, 4, 16, 32), bias(16)
        self.last, self.last_bias = weights(rng, 3, 3, 16, 1), bias(1)
        self.variables = list(vars(self).values())

    def __call__(self, noise):
        n = len(noise)
        x = tf.nn.leaky_relu(noise @ self.dense + self.dense_bias)
        x = tf.reshape(x, (n, 2, 2, 64))
        x = tf.nn.leaky_relu(tf.nn.conv2d_transpose(x, self.up1, (n, 4, 4, 32), strides=2) + self.up1_bias)
        x = tf.nn.leaky_relu(tf.nn.conv2d_transpose(x, self.up2, (n, 8, 8, 16), strides=2) + self.up2_bias)
        return tf.sigmoid(tf.nn.conv2d(x, self.last, strides=1, padding="SAME") + self.last_bias)


class Discriminator:
    def __init__(self, rng):
        self.conv1, self.conv1_bias = weights(rng, 3, 3, 1, 32), bias(32)
        self.conv2, self.conv2_bias = weights(rng, 3, 3, 32, 64), bias(64)
        self.dense, self.dense_bias = weights(rng, 4 * 4 * 64, 1), bias(1)
        self.variables = list(vars(self).values())

    def __call__(self, images):
        """Return the logit of being real, for each image."""
        x = tf.nn.leaky_relu(tf.nn.conv2d(images, self.conv1, strides=1, padding="SAME") + self.conv1_bias)
        x = tf.nn.leaky_relu(tf.nn.conv2d(x, self.conv2, strides=2, padding="SAME") + self.conv2_bias)
        return tf.reshape(x, (-1, 4 * 4 * 64)) @ self.dense + self.dense_bias


def losses_of(generator, discriminator, images, noise):
    """Return the generator's and the discriminator's loss for a batch of real images and a batch of noise."""
    made = discriminator(generator(noise))
    images = tf.constant(images)
    with tf.GradientTape() as slope_tape:
        slope_tape.watch(images)
        real = discriminator(images)
    slope = slope_tape.gradient(real, images)
    penalty = 0.5 * PENALTY * tf.reduce_mean(tf.reduce_sum(slope**2, axis=[1, 2, 3]))
    generator_loss = tf.reduce_mean(
        tf.nn.softplus(-made)
    )  # -log of the probability that a generated image passes as real
    discriminator_loss = tf.reduce_mean(tf.nn.softplus(-real)) + tf.reduce_mean(tf.nn.softplus(made)) + penalty
    return generator_loss, discriminator_loss


def train(generator, discriminator, images, rng, steps):
    """Yield (generator's loss, discriminator's loss) after each step."""
    generator_adam = Adam(generator.variables, rate=1e-3, beta1=0.5)
    discriminator_adam = Adam(discriminator.variables, rate=1e-3, beta1=0.5)
    for _ in range(steps):
        batch = images[rng.integers(len(images), size=BATCH)]
        noise = rng.normal(size=(BATCH, NOISE)).astype("float32")
        with tf.GradientTape(persistent=True) as tape:
            generator_loss, discriminator_loss = losses_of(generator, discriminator, batch, noise)
        generator_adam.apply(tape.gradient(generator_loss, generator.variables))
        discriminator_adam.apply(tape.gradient(discriminator_loss, discriminator.variables))
        yield float(generator_loss), float(discriminator_loss)


def nearest(made, images):
    """Return the closest real image for each generated one, to expose a generator that only memorizes."""
    distances = np.square(made.reshape(len(made), 1, 64) - images.reshape(1, -1, 64)).sum(axis=2)
    return images[distances.argmin(axis=1)]


def picture(generator, images, losses, rng):
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.5), layout="constrained")
    made = generator(rng.normal(size=(100, NOISE)).astype("float32")).numpy()
    show(axes[0], tile(made, 10), "Digits made from noise")
    pairs = np.stack([made[:50].reshape(5, 10, 8, 8, 1), nearest(made[:50], images).reshape(5, 10, 8, 8, 1)], axis=1)
    show(axes[1], tile(pairs.reshape(-1, 8, 8, 1), 10), "Made digits, and under each the nearest real one")
    for column, (color, label) in enumerate([(BLUE, "generator"), (ORANGE, "discriminator")]):
        curve(axes[2], [pair[column] for pair in losses], "Losses along training", color, label)
    axes[2].set_box_aspect(1)
    axes[2].set_ylim(0, 2)
    axes[2].legend()
    return figure


def main(argv=None):
    chosen = arguments(__file__, argv, steps=2000, small=25)
    rng = np.random.default_rng(chosen.seed)
    images, _ = digits()
    generator, discriminator = Generator(rng), Discriminator(rng)
    losses = watch(train(generator, discriminator, images, rng, chosen.steps), chosen.steps)
    ours, theirs = np.mean(losses[-min(50, chosen.steps) :], axis=0)
    print(f"loss of the generator {ours:.3f}, of the discriminator {theirs:.3f}")
    save(picture(generator, images, losses, rng), chosen.out)


if __name__ == "__main__":
    main()

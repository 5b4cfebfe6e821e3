"""Shared parts of the examples: command line, progress bar, Adam in a few lines, the digits, and figures written to files."""

import argparse
import contextlib
import pathlib

import matplotlib

matplotlib.use("Agg")  # pictures go to files: do not open a window

import matplotlib.pyplot as plt
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from threadpoolctl import threadpool_limits

import whygrad as tf

INK, BLUE, ORANGE, GREEN, GREY = "#22272e", "#2f6db3", "#d9762b", "#3b8f5a", "#9aa4af"

plt.rcParams.update(
    {
        "figure.dpi": 130,
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.edgecolor": GREY,
        "axes.labelcolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": INK,
        "ytick.color": INK,
        "text.color": INK,
        "legend.frameon": False,
        "image.cmap": "gray_r",
    }
)


def arguments(program, argv, *, steps, small):
    """Parse the command line of an example. `small` is the number of steps that `--small` takes, for a quick test."""
    name = pathlib.Path(program).stem
    parser = argparse.ArgumentParser(prog=f"{name}.py")
    parser.add_argument("--steps", type=int, help=f"steps of training (default {steps})")
    parser.add_argument("--small", action="store_true", help=f"a short run of {small} steps, to see that it works")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path(f"{name}.png"), help="picture to write (default %(default)s)"
    )
    chosen = parser.parse_args(argv)
    if chosen.steps is None:
        chosen.steps = small if chosen.small else steps
    if chosen.steps < 1:
        parser.error("--steps must be at least 1")
    return chosen


def watch(losses, steps, what="training"):
    """Return all losses of a training loop, and show them in a progress bar on a terminal as they come.

    The matrices of these examples are small: one thread multiplies them before a second one would have started.
    """
    console = Console(stderr=True)
    columns = [
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.4f}"),
    ]
    seen = []
    bar = Progress(*columns, TimeRemainingColumn(), console=console)
    # Not `disable=`: a disabled bar prints an empty line at its end, up to rich 14.
    with threadpool_limits(1, "blas"), bar if console.is_terminal else contextlib.nullcontext():
        task = bar.add_task(what, total=steps, loss=float("nan"))
        for loss in losses:
            seen.append(loss)
            bar.update(task, advance=1, loss=np.ravel(loss)[0])
    return seen


class Adam:
    """Adam (Kingma and Ba, 2015) over a list of variables."""

    def __init__(self, variables, rate=1e-3, beta1=0.9, beta2=0.999):
        self.variables, self.rate, self.beta1, self.beta2 = list(variables), rate, beta1, beta2
        self.means = [tf.zeros_like(v) for v in self.variables]
        self.squares = [tf.zeros_like(v) for v in self.variables]
        self.step = 0

    def apply(self, gradients):
        self.step += 1
        rate = self.rate * (1 - self.beta2**self.step) ** 0.5 / (1 - self.beta1**self.step)
        for i, (variable, gradient) in enumerate(zip(self.variables, gradients, strict=True)):
            g = tf.convert_to_tensor(gradient)  # the gradient of a gather is an IndexedSlices
            self.means[i] = self.beta1 * self.means[i] + (1 - self.beta1) * g
            self.squares[i] = self.beta2 * self.squares[i] + (1 - self.beta2) * g * g
            variable.assign_sub(rate * self.means[i] / (tf.sqrt(self.squares[i]) + 1e-7))


def weights(rng, *shape):
    """A variable with He initialization: normal, of variance 2 / fan-in."""
    scale = np.sqrt(2 / np.prod(shape[:-1]))
    return tf.Variable(rng.normal(scale=scale, size=shape).astype("float32"))


def bias(size):
    return tf.Variable(tf.zeros(size))


def digits():
    """scikit-learn's 1797 handwritten digits: images (1797, 8, 8, 1) between 0 and 1, and their labels."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    return images.reshape(-1, 8, 8, 1).astype("float32") / 16, labels.astype("int32")


def tile(images, columns):
    """Images (n, 8, 8, 1) as one picture, `columns` of them in a row, a pixel apart."""
    images = np.asarray(images)
    rows = len(images) // columns
    cells = np.pad(images[: rows * columns, :, :, 0], [(0, 0), (1, 1), (1, 1)])
    return cells.reshape(rows, columns, 10, 10).swapaxes(1, 2).reshape(rows * 10, columns * 10)


def show(axes, image, title, **options):
    """Draw an image in `axes`, with a title and no ticks."""
    axes.set_title(title)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_visible(True)
    return axes.imshow(image, **options)


def curve(axes, losses, title, color=BLUE, label=None):
    """Plot a loss over training: every step faintly, and the running mean."""
    losses = np.asarray(losses, dtype=float)
    width = max(1, len(losses) // 30)
    mean = np.convolve(losses, np.ones(width) / width, mode="valid")
    axes.plot(np.arange(1, len(losses) + 1), losses, color=color, alpha=0.25, linewidth=0.8)
    axes.plot(np.arange(len(mean)) + 1 + width / 2, mean, color=color, linewidth=1.6, label=label)
    axes.set_title(title)
    axes.set_xlabel("step")


def save(figure, path):
    """Write the picture and print its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)
    print(f"picture: {path}")

"""A compiled training step of a residual network on images: whygrad, the same step written by hand in JAX, and PyTorch.

    python benchmarks/residual.py                  batch 128 of 64x64 images, 16 convolutions of 64 to 512 channels: for a GPU
    python benchmarks/residual.py --small          a size for trying it on a CPU

Parameters are float32, convolutions bfloat16, batch normalization uses the batch's moments, the optimizer is SGD. `benchmarks/steps.py` says
how steps are compared.
"""

import functools

import numpy as np
import steps

RATE = 0.01
CLASSES = 10


class Sizes:
    def __init__(self, small):
        self.batch, self.side = (8, 16) if small else (128, 64)
        self.channels = (8, 16) if small else (64, 128, 256, 512)
        self.blocks = 2  # of each number of channels


def layout(sizes):
    """Yield each block as its name, the channels that go in and come out, and its stride."""
    before = sizes.channels[0]
    for stage, channels in enumerate(sizes.channels):
        for block in range(sizes.blocks):
            yield f"{stage}.{block}", before, channels, 2 if stage and not block else 1
            before = channels


def parameters(sizes):
    """Return the initial values by name, the same for all libraries."""
    rng = np.random.default_rng(0)

    def taps(size, before, after):
        return rng.normal(scale=(2.0 / (size * size * before)) ** 0.5, size=(size, size, before, after)).astype(
            "float32"
        )

    found = {"stem": taps(3, 3, sizes.channels[0])}
    for name, before, after, stride in layout(sizes):
        found |= {f"{name}.first": taps(3, before, after), f"{name}.second": taps(3, after, after)}
        if stride > 1 or before != after:
            found[f"{name}.short"] = taps(1, before, after)
    scales = {
        f"{name}.{part}": np.full(value.shape[-1], start, "float32")
        for name, value in found.items()
        for part, start in (("scale", 1.0), ("shift", 0.0))
    }
    dense = rng.normal(scale=sizes.channels[-1] ** -0.5, size=(sizes.channels[-1], CLASSES)).astype("float32")
    return found | scales | {"dense": dense}


def images(sizes):
    rng = np.random.default_rng(1)
    drawn = rng.normal(size=(sizes.batch, sizes.side, sizes.side, 3)).astype("float32")
    return drawn, rng.integers(0, CLASSES, sizes.batch).astype("int32")


def network(sizes, x, convolve, normalize, relu):
    """Return the features of images, given the layers of a library."""
    x = relu(normalize(convolve(x, "stem", 1), "stem"))
    for name, before, after, stride in layout(sizes):
        y = relu(normalize(convolve(x, f"{name}.first", stride), f"{name}.first"))
        y = normalize(convolve(y, f"{name}.second", 1), f"{name}.second")
        if stride > 1 or before != after:
            x = normalize(convolve(x, f"{name}.short", stride), f"{name}.short")
        x = relu(x + y)
    return x


def whygrad_step(sizes):
    import whygrad as tf

    values = {name: tf.Variable(value) for name, value in parameters(sizes).items()}
    x, labels = map(tf.constant, images(sizes))

    def convolve(x, name, stride):
        return tf.nn.conv2d(tf.cast(x, tf.bfloat16), tf.cast(values[name], tf.bfloat16), stride, "SAME")

    def normalize(x, name):
        x = tf.cast(x, tf.float32)
        mean, variance = tf.nn.moments(x, [0, 1, 2])
        return tf.nn.batch_normalization(x, mean, variance, values[f"{name}.shift"], values[f"{name}.scale"], 1e-5)

    @tf.function
    def step(x, labels):
        with tf.GradientTape() as tape:
            features = tf.reduce_mean(network(sizes, x, convolve, normalize, tf.nn.relu), [1, 2])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, features @ values["dense"]))
        variables = list(values.values())
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(RATE * gradient)
        return loss

    return lambda: step(x, labels), float, lambda loss: loss._array.block_until_ready()


def jax_step(sizes):
    import jax
    import jax.numpy as jnp

    x, labels = map(jnp.asarray, images(sizes))

    def loss_of(values, x, labels):
        def convolve(x, name, stride):
            taps = values[name].astype(jnp.bfloat16)
            axes = ("NHWC", "HWIO", "NHWC")
            return jax.lax.conv_general_dilated(
                x.astype(jnp.bfloat16), taps, (stride, stride), "SAME", dimension_numbers=axes
            )

        def normalize(x, name):
            x = x.astype(jnp.float32)
            mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
            scale = values[f"{name}.scale"] * jax.lax.rsqrt(variance + 1e-5)
            return x * scale + (values[f"{name}.shift"] - mean * scale)

        features = network(sizes, x, convolve, normalize, jax.nn.relu).mean((1, 2))
        chosen = jnp.take_along_axis(jax.nn.log_softmax(features @ values["dense"]), labels[:, None], -1)
        return -chosen.mean()

    return steps.of_jax(loss_of, parameters(sizes), (x, labels), RATE)


def torch_step(sizes, compiled):
    import torch

    place = "cuda" if torch.cuda.is_available() else "cpu"
    functional = torch.nn.functional
    x, labels = (torch.tensor(each, device=place) for each in images(sizes))
    # Channels last in memory, which is what the other libraries compute with, in PyTorch's order of axes.
    x, labels = x.permute(0, 3, 1, 2), labels.long()
    values = {}
    for name, value in parameters(sizes).items():
        tensor = torch.tensor(value, device=place)
        if tensor.ndim == 4:
            tensor = tensor.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
        values[name] = tensor.requires_grad_()

    def convolve(x, name, stride):
        taps = values[name].to(torch.bfloat16)
        size, side = taps.shape[-1], x.shape[-1]
        whole = max(size - stride if side % stride == 0 else size - side % stride, 0)  # the padding of "SAME"
        before, after = whole // 2, whole - whole // 2
        if before != after:
            return functional.conv2d(
                functional.pad(x.to(torch.bfloat16), (before, after, before, after)), taps, stride=stride
            )
        return functional.conv2d(x.to(torch.bfloat16), taps, stride=stride, padding=before)

    def normalize(x, name):
        return functional.batch_norm(
            x.float(), None, None, values[f"{name}.scale"], values[f"{name}.shift"], training=True, eps=1e-5
        )

    def loss_of():
        features = network(sizes, x, convolve, normalize, functional.relu).mean((2, 3))
        return functional.cross_entropy(features @ values["dense"], labels)

    return steps.of_torch(loss_of, list(values.values()), RATE, compiled)


VARIANTS = {
    "JAX": jax_step,
    "whygrad": whygrad_step,
    "PyTorch": lambda sizes: torch_step(sizes, False),
    "torch.compile": lambda sizes: torch_step(sizes, True),
}


def main():
    parser = steps.arguments(__doc__)
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    steps.compare({name: functools.partial(make, Sizes(options.small)) for name, make in VARIANTS.items()}, options)


if __name__ == "__main__":
    main()

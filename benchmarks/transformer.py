"""A compiled training step of a transformer: whygrad, the same step written by hand in JAX, and PyTorch.

    python benchmarks/transformer.py                     6 layers, width 1024, length 1024, batch 8: for a GPU
    python benchmarks/transformer.py --small             a size for trying it on a CPU

Parameters are float32, matrix products bfloat16 (or what `--dtype` says), the optimizer is SGD. "plain" attention is written op by op;
"fused" calls `nn.dot_product_attention`, which has its own kernel on a GPU. `benchmarks/steps.py` says how steps are compared.
"""

import functools

import numpy as np
import steps

RATE = 0.05


class Sizes:
    def __init__(self, small, dtype="bfloat16"):
        self.dtype = dtype  # of matrix products
        self.layers, self.width, self.length, self.batch = (2, 64, 32, 2) if small else (6, 1024, 1024, 8)
        self.heads, self.words = (4, 128) if small else (16, 8192)
        self.head = self.width // self.heads


def parameters(sizes):
    """Return the initial values by name, the same for all libraries."""
    rng = np.random.default_rng(0)
    width = sizes.width

    def normal(*shape):
        return rng.normal(scale=0.02, size=shape).astype(np.float32)

    found = {
        "words": normal(sizes.words, width),
        "places": normal(sizes.length, width),
        "out": normal(width, sizes.words),
    }
    for layer in range(sizes.layers):
        found |= {
            f"{layer}.qkv": normal(width, 3 * width),
            f"{layer}.joined": normal(width, width),
            f"{layer}.up": normal(width, 4 * width),
            f"{layer}.down": normal(4 * width, width),
            f"{layer}.scale1": np.ones(width, np.float32),
            f"{layer}.scale2": np.ones(width, np.float32),
        }
    return found


def tokens(sizes):
    drawn = np.random.default_rng(1).integers(0, sizes.words, (sizes.batch, sizes.length + 1)).astype(np.int32)
    return drawn[:, :-1], drawn[:, 1:]


# -- whygrad --


def whygrad_step(sizes, fused):
    import whygrad as tf

    values = {name: tf.Variable(value) for name, value in parameters(sizes).items()}
    inputs, targets = map(tf.constant, tokens(sizes))
    half = tf.as_dtype(sizes.dtype)
    later = tf.constant(np.triu(np.full((sizes.length, sizes.length), -1e9, np.float32), 1))

    def product(x, name):
        return tf.matmul(tf.cast(x, half), tf.cast(values[name], half))

    def normalized(x, name):
        x = tf.cast(x, tf.float32)
        centred = x - tf.reduce_mean(x, -1, keepdims=True)
        return centred * tf.math.rsqrt(tf.reduce_mean(centred * centred, -1, keepdims=True) + 1e-5) * values[name]

    def attention(x, layer):
        shape = (sizes.batch, sizes.length, 3, sizes.heads, sizes.head)
        q, k, v = tf.unstack(tf.reshape(product(x, f"{layer}.qkv"), shape), axis=2)
        if fused:
            mixed = tf.nn.dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = tf.cast(tf.einsum("bqnh,bknh->bnqk", q, k), tf.float32) * sizes.head**-0.5 + later
            mixed = tf.einsum("bnqk,bknh->bqnh", tf.cast(tf.nn.softmax(scores), half), v)
        return product(tf.reshape(mixed, (sizes.batch, sizes.length, sizes.width)), f"{layer}.joined")

    @tf.function
    def step(inputs, targets):
        with tf.GradientTape() as tape:
            x = tf.gather(values["words"], inputs) + values["places"]
            for layer in range(sizes.layers):
                x = x + tf.cast(attention(normalized(x, f"{layer}.scale1"), layer), tf.float32)
                up = tf.nn.gelu(product(normalized(x, f"{layer}.scale2"), f"{layer}.up"), approximate=True)
                x = x + tf.cast(product(up, f"{layer}.down"), tf.float32)
            logits = tf.cast(product(x, "out"), tf.float32)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(targets, logits))
        variables = list(values.values())
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(RATE * tf.convert_to_tensor(gradient))
        return loss

    return lambda: step(inputs, targets), lambda loss: float(loss), lambda loss: loss._array.block_until_ready()


# -- the same, written by hand --


def jax_step(sizes, fused):
    import jax
    import jax.numpy as jnp

    inputs, targets = map(jnp.asarray, tokens(sizes))
    half = jnp.dtype(sizes.dtype)
    later = jnp.triu(jnp.full((sizes.length, sizes.length), -1e9, jnp.float32), 1)

    def product(x, w):
        return x.astype(half) @ w.astype(half)

    def normalized(x, scale):
        centred = x - x.mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * scale

    def attention(x, values, layer):
        shape = (sizes.batch, sizes.length, 3, sizes.heads, sizes.head)
        qkv = product(x, values[f"{layer}.qkv"]).reshape(shape)
        q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
        if fused:
            has_kernel = jax.default_backend() == "gpu" and half == jnp.bfloat16
            mixed = jax.nn.dot_product_attention(
                q, k, v, is_causal=True, implementation="cudnn" if has_kernel else "xla"
            )
        else:
            scores = jnp.einsum("bqnh,bknh->bnqk", q, k).astype(jnp.float32) * sizes.head**-0.5 + later
            mixed = jnp.einsum("bnqk,bknh->bqnh", jax.nn.softmax(scores).astype(half), v)
        return product(mixed.reshape(sizes.batch, sizes.length, sizes.width), values[f"{layer}.joined"])

    def loss_of(values, inputs, targets):
        x = values["words"][inputs] + values["places"]
        for layer in range(sizes.layers):
            x = x + attention(normalized(x, values[f"{layer}.scale1"]), values, layer).astype(jnp.float32)
            up = jax.nn.gelu(product(normalized(x, values[f"{layer}.scale2"]), values[f"{layer}.up"]), approximate=True)
            x = x + product(up, values[f"{layer}.down"]).astype(jnp.float32)
        logits = product(x, values["out"]).astype(jnp.float32)
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1)
        return -chosen.mean()

    return steps.of_jax(loss_of, parameters(sizes), (inputs, targets), RATE)


def torch_step(sizes, fused, compiled):
    import torch

    place = "cuda" if torch.cuda.is_available() else "cpu"
    values = {name: torch.tensor(value, device=place, requires_grad=True) for name, value in parameters(sizes).items()}
    inputs, targets = [torch.tensor(each, device=place, dtype=torch.long) for each in tokens(sizes)]
    half = getattr(torch, sizes.dtype)
    later = torch.triu(torch.full((sizes.length, sizes.length), -1e9, device=place), 1)
    functional = torch.nn.functional

    def product(x, name):
        return x.to(half) @ values[name].to(half)

    def normalized(x, name):
        return functional.layer_norm(x, (sizes.width,), weight=values[name], eps=1e-5)

    def attention(x, layer):
        qkv = product(x, f"{layer}.qkv").reshape(sizes.batch, sizes.length, 3, sizes.heads, sizes.head)
        q, k, v = (part.transpose(1, 2) for part in qkv.unbind(2))
        if fused:
            mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = (q @ k.transpose(-1, -2)).float() * sizes.head**-0.5 + later
            mixed = torch.softmax(scores, -1).to(half) @ v
        return product(mixed.transpose(1, 2).reshape(sizes.batch, sizes.length, sizes.width), f"{layer}.joined")

    def loss_of():
        x = values["words"][inputs] + values["places"]
        for layer in range(sizes.layers):
            x = x + attention(normalized(x, f"{layer}.scale1"), layer).float()
            up = functional.gelu(product(normalized(x, f"{layer}.scale2"), f"{layer}.up"), approximate="tanh")
            x = x + product(up, f"{layer}.down").float()
        logits = product(x, "out").float()
        return functional.cross_entropy(logits.reshape(-1, sizes.words), targets.reshape(-1))

    return steps.of_torch(loss_of, list(values.values()), RATE, compiled)


VARIANTS = {
    "JAX, plain attention": lambda sizes: jax_step(sizes, False),
    "whygrad, plain attention": lambda sizes: whygrad_step(sizes, False),
    "JAX, fused attention": lambda sizes: jax_step(sizes, True),
    "whygrad, fused attention": lambda sizes: whygrad_step(sizes, True),
    "PyTorch, plain attention": lambda sizes: torch_step(sizes, False, False),
    "PyTorch, fused attention": lambda sizes: torch_step(sizes, True, False),
    "torch.compile, plain attention": lambda sizes: torch_step(sizes, False, True),
    "torch.compile, fused attention": lambda sizes: torch_step(sizes, True, True),
}


def main():
    parser = steps.arguments(__doc__)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--dtype", choices=("bfloat16", "float32"), default="bfloat16", help="of matrix products")
    options = parser.parse_args()
    sizes = Sizes(options.small, options.dtype)
    steps.compare({name: functools.partial(make, sizes) for name, make in VARIANTS.items()}, options)


if __name__ == "__main__":
    main()

"""Families of drawn programs: the same kind of work with other ops, shapes, dtypes, depths and sources.

A program is drawn from its family's name and a number, and written as source code for each library, as a user of that library
would write it; for NumPy the backward pass is written out as well. So no library pays for an adapter.
"""

from __future__ import annotations

import itertools
import textwrap

import numpy as np

COUNT = 8  # programs in each family
SEED = 2
TAPES = ("whygrad", "tensorflow")


class Program:
    """A drawn program: what it is in words, its arrays by name, and its source for each library."""

    def __init__(self, words, arrays, sources):
        self.words, self.arrays, self.sources = words, arrays, sources

    def step(self, library, module):
        """The function to be timed, which returns the gradients; None if the program is not written for this library."""
        source = self.sources.get("tape" if library in TAPES else library)
        if source is None:
            return None
        names = {"np": np, "lib": module, "arrays": self.arrays}
        exec(compile(textwrap.dedent(source), f"<{self.words} for {library}>", "exec"), names)
        return names["step"]


def draw(family, number, seed=SEED):
    """Program `number` of a family: always the same one for a seed."""
    return FAMILIES[family](np.random.default_rng([sum(family.encode()), number, seed]))


def _pick(rng, *choices):
    return choices[rng.integers(len(choices))]


def _indented(lines, by):
    return "".join(" " * by + line + "\n" for line in lines)


def _on_tapes(data, parameters, lines, ending):
    """A step with a tape: `lines` inside its block, `ending` after it."""
    return (
        "".join(f"{name} = lib.constant(arrays['{name}'])\n" for name in data)
        + "".join(f"{name} = lib.Variable(arrays['{name}'])\n" for name in parameters)
        + "def step():\n    with lib.GradientTape() as tape:\n"
        + _indented(lines, 8)
        + _indented(ending, 4)
    )


def _on_torch(data, parameters, lines):
    return (
        "".join(f"{name} = lib.tensor(arrays['{name}'])\n" for name in data)
        + "".join(f"{name} = lib.tensor(arrays['{name}'], requires_grad=True)\n" for name in parameters)
        + "def step():\n"
        + _indented(lines, 4)
    )


# -- chains of elementwise ops --

# For each op: how it is written with NumPy's names and operators, and the derivative for `y`, then for the other operand.
# `y` is the value before the op, `z` the one after it, `g` the cotangent.
_UNARY = {
    "sin": ("{m}.sin({y})", "{g} * np.cos({y})"),
    "cos": ("{m}.cos({y})", "{g} * -np.sin({y})"),
    "tanh": ("{m}.tanh({y})", "{g} * (1 - {z} * {z})"),
    "square": ("{m}.square({y})", "{g} * (2 * {y})"),
    "exp": ("{m}.exp({y})", "{g} * {z}"),
    "scale": ("{y} * 0.5", "{g} * 0.5"),
    "shift": ("{y} + 0.25", "{g}"),
    "flip": ("1.0 - {y}", "-{g}"),
}
_BINARY = {
    "multiply": ("{y} * {o}", "{g} * {o}", "{g} * {y}"),
    "add": ("{y} + {o}", "{g}", "{g}"),
    "subtract": ("{y} - {o}", "{g}", "-{g}"),
    "divide": ("{y} / {o}", "{g} / {o}", "-{g} * {y} / ({o} * {o})"),
}


def _drawn_ops(rng, depth, operands):
    """Ops in an order that keeps values near 1: what lets them grow is followed by an op with a bounded result."""
    ops = []
    while len(ops) < depth:
        if operands and rng.random() < 0.5:
            ops.append((_pick(rng, *_BINARY), _pick(rng, *operands)))
        else:
            ops.append((_pick(rng, "scale", "shift", "flip", "sin", "tanh", "cos"), None))
        if rng.random() < 0.15:
            ops.append((_pick(rng, "square", "exp"), None))
        if len(ops) >= depth or sum(name not in ("sin", "cos", "tanh") for name, _ in ops[-3:]) == 3:
            ops.append((_pick(rng, "sin", "tanh", "cos"), None))
    return ops[:depth]


def _forward(ops, module, value):
    lines, y = [], value
    for name, operand in ops:
        template = (_UNARY.get(name) or _BINARY[name])[0]
        lines.append(f"y = {template.format(m=module, y=y, o=operand)}")
        y = "y"
    return lines


def _by_hand(ops, arrays):
    """Forward and backward in NumPy, the values kept as variables; what was broadcast is summed."""
    shape = arrays["x"].shape
    lines = ["v0 = x"]
    for i, (name, operand) in enumerate(ops):
        template = (_UNARY.get(name) or _BINARY[name])[0]
        lines.append(f"v{i + 1} = {template.format(m='np', y=f'v{i}', o=operand)}")
    lines += [f"g = np.ones_like(v{len(ops)})", *(f"g_{name} = np.zeros_like({name})" for name in arrays)]
    for i in reversed(range(len(ops))):
        name, operand = ops[i]
        fields = {"y": f"v{i}", "z": f"v{i + 1}", "g": "g", "o": operand}
        if operand is None:
            lines.append(f"g = {_UNARY[name][1].format(**fields)}")
            continue
        _, for_y, for_operand = _BINARY[name]
        part = for_operand.format(**fields)
        repeated = tuple(
            axis
            for axis in range(len(shape))
            if axis < len(shape) - arrays[operand].ndim
            or arrays[operand].shape[axis - len(shape) + arrays[operand].ndim] != shape[axis]
        )
        if repeated:
            part = f"({part}).sum({repeated}).reshape({operand}.shape)"
        lines += [f"g_{operand} += {part}", f"g = {for_y.format(**fields)}"]
    lines.append("g_x += g")
    return lines


def _chain(rng, shapes, depths, words):
    shape, dtype = _pick(rng, *shapes), _pick(rng, np.float32, np.float32, np.float64)
    depth = int(rng.integers(*depths))
    arrays = {"x": rng.uniform(0.5, 1.5, shape).astype(dtype)}
    operands = ["x"]
    if len(shape) and rng.random() < 0.6:  # a second source, repeated along some axes
        arrays["b"] = rng.uniform(0.5, 1.5, _pick(rng, shape[-1:], (1,) * (len(shape) - 1) + shape[-1:])).astype(dtype)
        operands.append("b")
    ops = _drawn_ops(rng, depth, operands)
    arrays = {name: each for name, each in arrays.items() if name == "x" or any(name == other for _, other in ops)}
    is_variable = bool(rng.random() < 0.5)
    names = list(arrays)
    listed = ", ".join(names)
    lines, ending = _forward(ops, "lib", "x"), [f"return tape.gradient(y, [{listed}])"]
    if is_variable:
        tape = _on_tapes([], names, lines, ending)
    else:
        tape = _on_tapes(names, [], [f"tape.watch([{listed}])", *lines], ending)
    torch_ending = f"return lib.autograd.grad(y, [{listed}], lib.ones_like(y))"
    torch = _on_torch([], names, [*lines, torch_ending])
    autograd = (
        "anp = lib.numpy\n"
        + f"def total({listed}):\n"
        + _indented(_forward(ops, "anp", "x"), 4)
        + "    return anp.sum(y)\n"
        + f"gradients = lib.grad(total, {list(range(len(names)))})\n"
        + "values = list(arrays.values())\n"
        + "def step():\n    return gradients(*values)\n"
    )
    numpy = (
        "".join(f"{name} = arrays['{name}']\n" for name in names)
        + "def step():\n"
        + _indented(_by_hand(ops, arrays), 4)
        + f"    return [{', '.join(f'g_{name}' for name in names)}]\n"
    )
    kind = "variables" if is_variable else "constants"
    described = f"{words}: {depth} ops on {np.dtype(dtype).name} {shape}, {len(names)} {kind}"
    return Program(described, arrays, {"tape": tape, "torch": torch, "autograd": autograd, "numpy": numpy})


def chain(rng):
    return _chain(rng, [(8, 8), (16,), (4, 4, 4), (32, 32), (), (3, 1, 5)], (30, 200), "chain")


def large(rng):
    return _chain(rng, [(1_000_000,), (1000, 1000), (100, 100, 100)], (4, 10), "large")


def second_order(rng):
    """The gradient of a gradient's sum of squares."""
    program = _chain(rng, [(8, 8), (16,), (4, 4, 4), (2, 3)], (4, 16), "second order")
    names = list(program.arrays)
    listed = ", ".join(names)
    tape, torch, autograd = (program.sources[each] for each in ("tape", "torch", "autograd"))
    head, body = tape.split("    with lib.GradientTape() as tape:\n")
    body = body.split("    return")[0]
    watch = "        outer.watch([" + listed + "])\n" if "tape.watch" in body else ""
    tape = (
        f"{head}    with lib.GradientTape() as outer:\n{watch}        with lib.GradientTape() as tape:\n"
        + textwrap.indent(body, "    ")
        + "        slope = tape.gradient(y, x)\n        total = lib.reduce_sum(slope * slope)\n"
        + "    return outer.gradient(total, [x])\n"
    )
    forward = torch.split("    return")[0]
    torch = (
        forward
        + "    (slope,) = lib.autograd.grad(y, x, lib.ones_like(y), create_graph=True)\n"
        + "    return lib.autograd.grad((slope * slope).sum(), [x])\n"
    )
    autograd = (
        autograd.split("gradients =")[0]
        + "slope = lib.grad(total, 0)\n"
        + f"def squares({listed}):\n    s = slope({listed})\n    return anp.sum(s * s)\n"
        + "bend = lib.grad(squares, [0])\n"
        + "values = list(arrays.values())\n"
        + "def step():\n    return bend(*values)\n"
    )
    return Program(program.words, program.arrays, {"tape": tape, "torch": torch, "autograd": autograd})


# -- networks --


def training(rng):
    """A step of a small network, with update: dense layers, an activation, and a loss."""
    batch, classes = int(_pick(rng, 16, 32, 64, 128)), int(_pick(rng, 3, 10))
    sizes = [int(_pick(rng, 20, 100, 784)), *(int(_pick(rng, 32, 64, 128)) for _ in range(rng.integers(1, 4)))]
    activation, loss = _pick(rng, "relu", "tanh", "sigmoid"), _pick(rng, "classes", "squares")
    sizes.append(classes)
    arrays = {"x": rng.normal(size=(batch, sizes[0])).astype(np.float32)}
    parameters, tape, torch = [], [], []
    for i, (n, m) in enumerate(itertools.pairwise(sizes)):
        arrays[f"w{i}"] = (rng.normal(size=(n, m)) / np.sqrt(n)).astype(np.float32)
        arrays[f"b{i}"] = np.zeros(m, np.float32)
        parameters += [f"w{i}", f"b{i}"]
        layer = f"{'h' if i else 'x'} @ w{i} + b{i}"
        is_last = i == len(sizes) - 2
        tape.append(f"h = {layer}" if is_last else f"h = lib.nn.{activation}({layer})")
        torch.append(f"h = {layer}" if is_last else f"h = lib.{activation}({layer})")
    if loss == "classes":
        arrays["labels"] = rng.integers(0, classes, batch)
        tape.append("loss = lib.reduce_mean(lib.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=h))")
        torch.append("loss = lib.nn.functional.cross_entropy(h, labels)")
    else:
        arrays["labels"] = rng.normal(size=(batch, classes)).astype(np.float32)
        tape.append("loss = lib.reduce_mean(lib.square(h - labels))")
        torch.append("loss = lib.mean(lib.square(h - labels))")
    data, listed = ("x", "labels"), ", ".join(parameters)
    update = f"for p, g in zip([{listed}], gradients):"
    tape_ending = [
        f"gradients = tape.gradient(loss, [{listed}])",
        update,
        "    p.assign_sub(0.01 * g)",
        "return gradients",
    ]
    torch += [f"gradients = lib.autograd.grad(loss, [{listed}])", "with lib.no_grad():"]
    torch += [f"    {update}", "        p -= 0.01 * g", "return gradients"]
    tape_source = _on_tapes(data, parameters, tape, tape_ending)
    torch_source = _on_torch(data, parameters, torch)
    words = f"training: batch {batch}, {'-'.join(map(str, sizes))}, {activation}, {loss}"
    return Program(words, arrays, {"tape": tape_source, "torch": torch_source})


def convolution(rng):
    """A convolution, relu, perhaps pooling, and the gradient for the filters, and perhaps for the images."""
    batch, size = int(_pick(rng, 8, 16, 32, 64)), int(_pick(rng, 14, 28))
    channels, filters = int(_pick(rng, 1, 8, 32)), int(_pick(rng, 8, 16, 32))
    kernel, stride, pools = int(_pick(rng, 3, 3, 5)), int(_pick(rng, 1, 1, 2)), bool(rng.random() < 0.5)
    for_images = bool(rng.random() < 0.5)
    images = rng.normal(size=(batch, size, size, channels)).astype(np.float32)
    weights = (rng.normal(size=(kernel, kernel, channels, filters)) * 0.1).astype(np.float32)
    sources = "[w, x]" if for_images else "[w]"
    tape = f"""
        x, w = lib.{"Variable" if for_images else "constant"}(arrays["x"]), lib.Variable(arrays["w"])
        def step():
            with lib.GradientTape() as tape:
                y = lib.nn.relu(lib.nn.conv2d(x, w, {stride}, "VALID"))
                {"y = lib.nn.max_pool2d(y, 2, 2, 'VALID')" if pools else ""}
                loss = lib.reduce_mean(lib.square(y))
            return tape.gradient(loss, {sources})
    """
    torch = f"""
        F = lib.nn.functional
        x = lib.tensor(arrays["x"].transpose(0, 3, 1, 2).copy(), requires_grad={for_images})
        w = lib.tensor(arrays["w"].transpose(3, 2, 0, 1).copy(), requires_grad=True)
        def step():
            y = lib.relu(F.conv2d(x, w, stride={stride}))
            {"y = F.max_pool2d(y, 2, 2)" if pools else ""}
            return lib.autograd.grad(lib.mean(lib.square(y)), {sources})
    """
    words = (
        f"convolution: batch {batch}, {size}x{size}x{channels} to {filters}, {kernel}x{kernel}, stride {stride}"
        f"{', pooled' if pools else ''}{', for images too' if for_images else ''}"
    )
    return Program(words, {"x": images, "w": weights}, {"tape": tape, "torch": torch})


def attention(rng):
    """Self-attention with its projections, and the gradients for them."""
    batch, length = int(_pick(rng, 1, 4, 8)), int(_pick(rng, 16, 64, 128))
    heads, width = int(_pick(rng, 1, 4)), int(_pick(rng, 32, 64))
    is_causal = bool(rng.random() < 0.5)
    each = width // heads
    arrays = {"x": rng.normal(size=(batch, length, width)).astype(np.float32)}
    for name in ("wq", "wk", "wv", "wo"):
        arrays[name] = (rng.normal(size=(width, width)) / np.sqrt(width)).astype(np.float32)
    if is_causal:
        arrays["mask"] = np.triu(np.full((length, length), -1e9, np.float32), 1)
    data, parameters = [each for each in arrays if each in ("x", "mask")], ["wq", "wk", "wv", "wo"]
    listed = ", ".join(parameters)
    masked = " + mask" if is_causal else ""

    def lines(reshape, transpose, softmax, swapped):
        split = f"{{0}} = {transpose.format(reshape.format('x @ w{0}', f'({batch}, {length}, {heads}, {each})'))}"
        return [
            *(split.format(name) for name in "qkv"),
            f"scores = {swapped} * {each**-0.5}{masked}",
            f"mixed = {softmax} @ v",
            f"out = {reshape.format(transpose.format('mixed'), f'({batch}, {length}, {width})')} @ wo",
        ]

    tape_lines = lines(
        "lib.reshape({}, {})",
        "lib.transpose({}, [0, 2, 1, 3])",
        "lib.nn.softmax(scores)",
        "lib.matmul(q, k, transpose_b=True)",
    )
    torch_lines = lines(
        "lib.reshape({}, {})", "({}).transpose(1, 2)", "lib.softmax(scores, -1)", "(q @ k.transpose(-1, -2))"
    )
    tape_lines.append("loss = lib.reduce_mean(lib.square(out))")
    torch_lines.append(f"return lib.autograd.grad(lib.mean(lib.square(out)), [{listed}])")
    tape = _on_tapes(data, parameters, tape_lines, [f"return tape.gradient(loss, [{listed}])"])
    torch = _on_torch(data, parameters, torch_lines)
    words = f"attention: batch {batch}, length {length}, width {width}, {heads} heads{', causal' if is_causal else ''}"
    return Program(words, arrays, {"tape": tape, "torch": torch})


FAMILIES = {
    "chain": chain,
    "second_order": second_order,
    "training": training,
    "large": large,
    "convolution": convolution,
    "attention": attention,
}

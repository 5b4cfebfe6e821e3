"""Random programs: a seed determines one, and whygrad and TensorFlow run it.

A program has a few leaves and variables, and computes some values from them, one step after the other. A step is a row of the table
of ops, whose inputs are mapped into the row's domain, or one of the ways below, which draw shapes, axes, indices and functions. Then
it asks for gradients: of one or two targets, for leaves, variables and values between, with or without upstream gradients, from
persistent tapes and inside an outer tape.

Every step has random numbers of its own, so a step that one library refuses can be left out in another (`without`) and the rest stays the same.
"""

from __future__ import annotations

import contextlib
import math

import numpy as np

from tests.ops.table import CASES
from tests.support.cases import Input

# Left out: the bits of rounded numbers; eigenvectors, whose order and phase each library chooses; what takes TensorFlow seconds.
ROWS = [case for case in CASES if case.tensorflow and not case.name.startswith(("bitcast", "eig ", "eigh_tridiagonal"))]
# TensorFlow's gradients of these lack a conjugate, or are those of a holomorphic function, for complex upstream gradients.
NOT_CONJUGATED = ("prod", "slogdet", "reduce_euclidean_norm")
MOST_ELEMENTS = 48  # of a value: longer ones are cut
DTYPES = ("float32", "float64", "float64", "float32", "complex64", "complex128", "float16", "bfloat16")
# Relative to the largest element. Sums are taken in another order than TensorFlow's, and ops of ten steps follow each other.
TOLERANCE = {"float16": 5e-2, "bfloat16": 2e-1, "float32": 2e-3, "float64": 1e-7, "complex64": 2e-3, "complex128": 1e-7}


class Choices:
    """Random decisions."""

    def __init__(self, *seed):
        self.rng = np.random.default_rng(seed)

    def chance(self, n):
        return self.below(n) == 0

    def below(self, n):
        return int(self.rng.integers(n))

    def pick(self, values):
        return values[self.below(len(values))]

    def shape(self, rank=None):
        rank = self.pick((0, 1, 1, 2, 2, 2, 3)) if rank is None else rank
        return tuple(self.pick((1, 2, 2, 3, 3, 4)) for _ in range(rank))

    def normal(self, shape):
        return self.rng.normal(size=shape)


class Program:
    """The program of one seed, for one library."""

    def __init__(self, tf, seed, dtype=None, without=(), data=0, rows=ROWS):
        self.tf = tf
        self.seed = seed
        self.own_dtype = DTYPES[seed % len(DTYPES)]
        self.dtype = dtype or self.own_dtype
        self.without = set(without)  # steps that are left out
        self.refused = {}  # steps that raised, and the errors
        self.data = data  # a seed for the leaves' values
        self.rows = rows
        self.names = []  # of the steps
        self.tolerance = TOLERANCE[self.dtype]
        self.plain = []  # what steps gave that is not differentiated: integers, truth values
        self.values, self.variables = [], []
        start = Choices(seed)
        self.nested = start.chance(6)
        self.persistent = start.chance(4)
        self.steps = start.pick((1, 1, 2, 2, 2, 3, 3, 4))
        self.start = start

    # -- values --

    @property
    def is_complex(self):
        return self.dtype.startswith("complex")

    def constant(self, choices, shape, scale=0.8):
        values = scale * choices.normal(shape)
        if self.is_complex:
            values = values + 0.4j * choices.normal(shape)
        # In the program's own dtype first: a run in another one gets the same numbers.
        values = values.astype(self.own_dtype if self.own_dtype != "bfloat16" else "float16").astype("complex128")
        values = values if self.is_complex else values.real
        return self.tf.constant(values, self.dtype)

    def some(self, choices):
        """A value or a variable."""
        return choices.pick(self.variables) if choices.chance(6) else choices.pick(self.values)

    def fit(self, choices, value, shape):
        """The elements of a value, repeated or cut, in this shape."""
        tf = self.tf
        if tuple(value.shape) == tuple(shape):
            return value
        size, wanted = math.prod(value.shape), math.prod(shape)
        if not size:
            return self.constant(choices, shape)
        flat = tf.reshape(value, [-1])
        places = (np.arange(wanted) + choices.below(size)) % size
        return tf.reshape(tf.gather(flat, places), shape)

    def into(self, value, low, high):
        """A value moved into the domain of an op."""
        tf = self.tf
        middle, half = (low + high) / 2.0, (high - low) / 2.0
        if self.is_complex:
            value = value / tf.cast(1.0 + tf.abs(value), self.dtype)
        else:
            value = tf.tanh(value)
        return value * tf.constant(half, self.dtype) + tf.constant(middle, self.dtype)

    def partner(self, choices, shape):
        """A value whose shape broadcasts with `shape`."""
        kept = [1 if choices.chance(4) else size for size in shape][choices.below(len(shape) + 1) if shape else 0 :]
        if choices.chance(8):
            kept = [choices.pick((1, 2)), *([1] * (len(shape) - len(kept))), *kept]
        return self.fit(choices, self.some(choices), kept)

    def keep(self, made):
        """Add what a step gave to the values."""
        tf = self.tf
        for each in tf.nest.flatten(made):
            if not hasattr(each, "dtype"):
                continue
            if each.dtype.name not in DTYPES:
                self.plain.append(each)
                continue
            if each.dtype.name != self.dtype:
                if each.dtype.is_complex and not self.is_complex:
                    each = tf.math.real(each) + tf.math.imag(each)
                each = tf.cast(each, self.dtype)
            if math.prod(each.shape) > MOST_ELEMENTS:
                each = tf.reshape(each, [-1])[:MOST_ELEMENTS]
            self.values.append(each)

    # -- steps --

    def way(self, choices, ways):
        """One of the ways of a step, whose number is part of the step's name."""
        number = choices.below(len(ways))
        self.names[-1] += f" {number}"
        return ways[number]

    def row(self, choices):
        """A row of the table of ops."""
        tf = self.tf
        while True:
            case = choices.pick(self.rows)
            if self.nested and not (case.second and case.order > 1):
                continue
            if self.own_dtype.startswith("complex") and any(name in case.name for name in NOT_CONJUGATED):
                continue
            if self.own_dtype in case.dtypes or (self.own_dtype.startswith("complex") and case.complex):
                break
        self.names[-1] = f"row {case.name}"
        self.tolerance = max(self.tolerance, 100.0 * case.rtol.get(self.dtype, 0.0))
        arguments = []
        for each in case.inputs:
            if isinstance(each, Input):
                # Elements that are repeated would be ties and singular matrices.
                value = self.fit(choices, self.some(choices), each.shape) + self.constant(choices, each.shape)
                arguments.append(self.into(value, each.low, each.high))
            else:
                arguments.append(
                    tf.constant(np.asarray(each).astype("complex128" if self.is_complex else "float64"), self.dtype)
                )
        return case.function(tf, *arguments)

    def arithmetic(self, choices):
        tf = self.tf
        a = self.some(choices)
        b = self.partner(choices, tuple(a.shape))
        if choices.chance(2):
            a, b = b, a
        ways = [
            lambda: a + b, lambda: a - b, lambda: a * b, lambda: b - a * 0.5, lambda: a * a + b,
            lambda: a / self.into(b, 0.5, 2.0), lambda: tf.sin(a) * b, lambda: -tf.cos(b) + a, lambda: tf.stop_gradient(a) * b,
            lambda: 2.0 / self.into(b, 0.5, 2.0) - a, lambda: self.into(a, 0.4, 2.0) ** b, lambda: a ** 2, lambda: a * b + a,
        ]  # fmt: skip
        real = [
            lambda: tf.maximum(a, b), lambda: tf.minimum(b, a), lambda: tf.where(a > b, a * b, b), lambda: abs(a) + b,
            lambda: tf.math.squared_difference(a, b), lambda: tf.nn.relu(a) - b, lambda: tf.math.atan2(a, self.into(b, 0.5, 1.0)),
            lambda: tf.clip_by_value(a * b, -0.5, 0.7), lambda: tf.where(a < 0.0, tf.exp(a), b), lambda: tf.sigmoid(a) * b,
        ]  # fmt: skip
        return self.way(choices, ways if self.is_complex else ways + real)()

    def reduction(self, choices):
        tf = self.tf
        x = self.some(choices)
        rank = len(x.shape)
        axes = [int(axis) for axis in choices.rng.permutation(rank)[: choices.below(rank + 1)]]
        axis = choices.pick([None, axes, [each - rank for each in axes], *([each, each - rank] for each in axes[:1])])
        if isinstance(axis, list) and len(axis) == 1 and choices.chance(2):
            axis = axis[0]
        keepdims = choices.chance(2)
        functions = [tf.reduce_sum, tf.reduce_mean]
        if not self.is_complex:
            functions += [tf.reduce_prod, tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp, tf.math.reduce_variance]
            functions += [
                lambda x, axis, keepdims: tf.math.reduce_std(x + self.constant(choices, x.shape), axis, keepdims)
            ]
            functions += [lambda x, axis, keepdims: tf.norm(x, axis=axes[0] if axes else None, keepdims=keepdims)]
        if rank:
            along = choices.below(rank) - (rank if choices.chance(2) else 0)
            flags = {"exclusive": choices.chance(2), "reverse": choices.chance(2)}
            functions += [lambda x, axis, keepdims: tf.cumsum(x, along, **flags)]
            if not self.is_complex:  # TensorFlow's gradient of cumprod lacks the conjugate
                functions += [lambda x, axis, keepdims: tf.math.cumprod(x, along, **flags)]
                functions += [lambda x, axis, keepdims: tf.nn.softmax(x, along)]
                functions += [lambda x, axis, keepdims: tf.nn.log_softmax(x, along)]
                functions += [lambda x, axis, keepdims: tf.sort(x, along)]
                functions += [lambda x, axis, keepdims: tf.math.top_k(x, 1)[0]]
        return self.way(choices, functions)(x, axis, keepdims)

    def slicing(self, choices):
        tf = self.tf
        x = self.some(choices)
        index = []
        for size in x.shape[: choices.below(len(x.shape) + 1)]:
            first, last = choices.below(size + 1), choices.below(size + 1)
            parts = [
                choices.below(size) - (size if choices.chance(3) else 0), slice(None), slice(min(first, last), None),
                slice(None, max(first, 1)), slice(None, None, choices.pick((-1, 2, -2))), slice(last, first, -1), slice(-2, None),
            ]  # fmt: skip
            index.append(choices.pick(parts))
        if choices.chance(3):
            index.insert(choices.below(len(index) + 1), tf.newaxis)
        if choices.chance(3):
            index.append(...)
            rest = len(x.shape) - sum(each is not None and each is not ... for each in index)
            if rest and choices.chance(2):
                index.append(choices.pick((0, -1, slice(1, None))))
        return x[tuple(index)]

    def indexing(self, choices):
        tf = self.tf
        x = self.some(choices)
        if not len(x.shape):
            x = self.fit(choices, x, (3,))
        size, rank = int(x.shape[0]), len(x.shape)
        if not math.prod(x.shape):
            x = self.constant(choices, (2, 3))
            size, rank = 2, 2
        places = choices.rng.integers(size, size=choices.shape(choices.pick((0, 1, 2))))
        axis = choices.below(rank) - (rank if choices.chance(2) else 0)
        along = choices.rng.integers(x.shape[axis], size=choices.pick((1, 2, 4)))
        rows = self.fit(choices, self.some(choices), (2, *x.shape[1:]))
        at = choices.rng.integers(size, size=(2, 1))
        full = np.stack([choices.rng.integers(each, size=3) for each in x.shape], axis=-1)
        ways = [
            lambda: tf.gather(x, places), lambda: tf.gather(x, along, axis=axis), lambda: tf.gather_nd(x, full),
            lambda: tf.scatter_nd(at, rows, [size + 1, *x.shape[1:]]), lambda: tf.tensor_scatter_nd_add(x, at, rows),
            lambda: tf.tensor_scatter_nd_update(x, at[:1], rows[:1]), lambda: tf.boolean_mask(x, choices.rng.integers(2, size=size) > 0),
            lambda: tf.reverse(x, [axis]), lambda: tf.roll(x, choices.below(4), axis), lambda: tf.nn.embedding_lookup(x, places),
            lambda: tf.math.unsorted_segment_sum(x, choices.rng.integers(3, size=size), 3),
            lambda: tf.math.segment_sum(x, np.sort(choices.rng.integers(3, size=size))),
            lambda: tf.gather(x, choices.rng.integers(x.shape[-1], size=(size, 2)), axis=-1, batch_dims=1) if rank == 2 else tf.identity(x),
            lambda: tf.repeat(x, along.size, axis), lambda: tf.one_hot(places, 3, dtype=x.dtype) * tf.reduce_sum(x),
            lambda: tf.where(choices.rng.integers(2, size=x.shape) > 0, x, 0.0 * x), lambda: tf.stack(tf.unstack(x)[::-1]),
        ]  # fmt: skip
        if not self.is_complex:
            ways += [
                lambda: tf.math.unsorted_segment_mean(x, choices.rng.integers(3, size=size), 3),
                lambda: tf.math.segment_max(x, np.sort(choices.rng.integers(3, size=size))),
                lambda: tf.tensor_scatter_nd_max(x, at, rows), lambda: tf.gather(x, tf.argsort(x[(slice(None), *[0] * (rank - 1))])),
                lambda: tf.gather(tf.reshape(x, [-1]), tf.argmax(tf.reshape(x, [-1]))),
            ]  # fmt: skip
        return self.way(choices, ways)()

    def shaping(self, choices):
        tf = self.tf
        x = self.some(choices)
        rank, size = len(x.shape), math.prod(x.shape)
        axis = choices.below(rank + 1) - (rank + 1 if choices.chance(2) else 0)
        along = choices.below(max(rank, 1))
        like = self.fit(choices, self.some(choices), x.shape)
        factor = next((n for n in (2, 3, 1) if size % n == 0), 1)
        widths = [(choices.below(3), choices.below(2)) for _ in range(rank)]
        narrow = [(choices.below(2) if n > 1 else 0, choices.below(2) if n > 1 else 0) for n in x.shape]
        ways = [
            lambda: tf.reshape(x, [factor, -1]) if size else tf.identity(x), lambda: tf.transpose(x, choices.rng.permutation(rank).tolist()),
            lambda: tf.expand_dims(x, axis), lambda: tf.squeeze(x), lambda: tf.tile(x, [1 + choices.below(2) for _ in range(rank)]),
            lambda: tf.concat([x, like, x], along) if rank else tf.stack([x, like]), lambda: tf.stack([x, like], axis),
            lambda: tf.split(x, x.shape[along], along) if rank and x.shape[along] > 1 else [x], lambda: tf.pad(x, widths),
            lambda: tf.pad(x, narrow, choices.pick(("REFLECT", "SYMMETRIC"))) if size else tf.identity(x),
            lambda: tf.broadcast_to(x, [2, *x.shape]), lambda: tf.meshgrid(tf.reshape(x, [-1])[:3], tf.reshape(like, [-1])[:2]),
            lambda: tf.linalg.diag(x) if 0 < rank < 3 else tf.identity(x), lambda: tf.zeros_like(x) + like, lambda: tf.add_n([x, like, like]),
            lambda: tf.unstack(x, axis=along) if rank and x.shape[along] < 4 else tf.identity(x),
            lambda: tf.linalg.band_part(x, 0, choices.below(2)) if rank > 1 else -x, lambda: tf.transpose(x, conjugate=True),
        ]  # fmt: skip
        return self.way(choices, ways)()

    def product(self, choices):
        tf = self.tf
        n, k, m = choices.shape(3)
        a, b = self.fit(choices, self.some(choices), (n, k)), self.fit(choices, self.some(choices), (k, m))
        batch = self.fit(choices, self.some(choices), (2, n, k))
        ways = [
            lambda: tf.matmul(a, b), lambda: tf.matmul(b, a, transpose_a=True, transpose_b=True), lambda: batch @ b,
            lambda: tf.einsum("ij,jk->ik", a, b), lambda: tf.einsum("bij,jk->bk", batch, b), lambda: tf.tensordot(batch, b, 1),
            lambda: tf.tensordot(a, b, [[1], [0]]), lambda: tf.linalg.matvec(a, b[:, 0]), lambda: tf.einsum("ij,kj->", a, tf.transpose(b)),
            lambda: tf.matmul(a, a, adjoint_b=True), lambda: tf.linalg.trace(tf.matmul(a, a, transpose_b=True)),
        ]  # fmt: skip
        return self.way(choices, ways)()

    def control(self, choices):
        tf = self.tf
        x, y = self.some(choices), self.some(choices)
        like = self.fit(choices, y, x.shape)
        test = tf.reduce_sum(tf.math.real(x) if self.is_complex else x + 0.0) > 0.0
        rows = x if len(x.shape) else self.fit(choices, x, (2,))
        turns = 1 + choices.below(3)
        ways = [
            lambda: tf.cond(test, lambda: x * like, lambda: like - x), lambda: tf.cond(test, lambda: like + 0.0, lambda: x * 2.0),
            lambda: tf.while_loop(lambda i, z: i < turns, lambda i, z: (i + 1, z * 0.5 * like + x), (0, x * 1.0))[1],
            lambda: tf.switch_case(choices.below(3), [lambda: x + like, lambda: x * like, lambda: -x]),
            lambda: tf.case([(test, lambda: x * 3.0)], default=lambda: like * x),
        ]  # fmt: skip
        if math.prod(rows.shape):
            ways += [
                lambda: tf.map_fn(lambda z: z * tf.reduce_sum(like) + z * z, rows),
                lambda: tf.scan(lambda total, z: 0.5 * total + z * z, rows),
                lambda: tf.foldl(lambda total, z: total * 0.3 + z, rows), lambda: tf.foldr(lambda total, z: total * z + z, rows),
            ]  # fmt: skip
        return self.way(choices, ways)()

    def custom(self, choices):
        tf = self.tf
        x, y = self.some(choices), self.some(choices)
        like = self.fit(choices, y, x.shape)
        scale = 0.25 * (1 + choices.below(5))

        @tf.custom_gradient
        def scaled(a):
            return a * 2.0, lambda g: g * scale

        @tf.custom_gradient
        def product(a, b):
            def back(g):
                return g * b * scale, tf.reduce_sum(g * a) * tf.ones_like(b)

            return a * b, back

        @tf.custom_gradient
        def squares(a):
            return (a * a, a + 1.0), lambda first, second: first * 2.0 * a + second * scale

        @tf.recompute_grad
        def again(a, b):
            return tf.sin(a) * b + a

        ways = [
            lambda: scaled(x + 0.0), lambda: product(x + 0.0, like + 0.0), lambda: squares(x + 0.0), lambda: scaled(scaled(x * like)),
            lambda: again(x + 0.0, like + 0.0), lambda: tf.stop_gradient(x) + like, lambda: tf.grad_pass_through(tf.sin)(x + 0.0) * like,
        ]  # fmt: skip
        return self.way(choices, ways)()

    def variable(self, choices):
        tf = self.tf
        v = choices.pick(self.variables)
        size = int(v.shape[0])
        ways = [
            lambda: v * 2.0, lambda: v.read_value() * v, lambda: tf.gather(v, choices.rng.integers(size, size=3)), lambda: v[0] + v[-1],
            lambda: tf.nn.embedding_lookup(v, [0, size - 1, 0]), lambda: tf.reduce_sum(v) * self.some(choices),
            lambda: (v.assign_add(self.constant(choices, v.shape)), v * v)[1], lambda: (v.assign(v * 0.5), tf.sin(v))[1],
            lambda: (v.scatter_add(tf.IndexedSlices(self.constant(choices, (1, *v.shape[1:])), [0])), v * 3.0)[1],
            lambda: (v[0].assign(v[-1] * 1.5), v * v)[1], lambda: tf.identity(v) - v.value(), lambda: tf.convert_to_tensor(v) * v,
        ]  # fmt: skip
        return self.way(choices, ways)()

    def derivative(self, choices):
        """A gradient of a tape that ends inside the program."""
        tf = self.tf
        x, y = self.some(choices) * 1.0, self.some(choices) * 1.0
        like = self.fit(choices, y, x.shape)
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = x * x * like + tf.sin(x)
        return tape.gradient(z, x)

    def grow(self, number):
        """One more step."""
        choices = Choices(self.seed, number)
        kinds = [self.row] * 8 + [self.arithmetic] * 3 + [self.reduction] * 3 + [self.slicing] * 2
        kinds += (
            [self.indexing] * 3
            + [self.shaping] * 3
            + [self.product, self.control, self.custom, self.variable, self.variable, self.derivative]
        )
        kind = choices.pick(kinds)
        self.names.append(kind.__name__)
        if number in self.without:
            return
        before = len(self.values), len(self.plain)
        try:
            self.keep(kind(choices))
        except Exception as error:
            del self.values[before[0] :], self.plain[before[1] :]
            self.refused[number] = error

    # -- the whole --

    def begin(self):
        """The values of leaves and variables."""
        data = Choices(self.seed, 1000 + self.data)
        shapes = [self.start.shape() for _ in range(2)] + [self.start.shape(2)]
        if self.start.chance(20):
            shapes[0] = (0, 3)
        leaves = [self.constant(data, shape) for shape in shapes]
        return leaves, [self.constant(data, self.start.shape(rank)) for rank in self.start.pick(((1,), (2,), (1, 2)))]

    def run(self):
        """What the program gives: values, whether gradients are sparse, gradients and second gradients; arrays or None."""
        leaves, initial = self.begin()
        self.variables = [self.tf.Variable(each) for each in initial]
        return self.results(leaves)

    def results(self, leaves):
        tf, start = self.tf, self.start
        outer = tf.GradientTape(persistent=True)
        with outer if self.nested else contextlib.nullcontext():
            if self.nested:
                outer.watch(leaves)
            with tf.GradientTape(persistent=self.persistent) as tape:
                for i in start.rng.permutation(len(leaves))[: 1 + start.below(len(leaves))]:
                    tape.watch(leaves[i])
                self.values, late = list(leaves), []
                for number in range(1, 1 + self.steps):
                    self.grow(number)
                    watches = start.chance(8)
                    if watches and number not in {*self.without, *self.refused}:
                        tape.watch(self.values[-1])
                        late.append(self.values[-1])
            targets = self.values[-1:] + late[:1] + ([start.pick(self.values)] if start.chance(3) else [])
            sources = [leaves[i] for i in start.rng.permutation(len(leaves))[: 1 + start.below(len(leaves))]]
            sources += [*self.variables, start.pick(self.values), *late[-1:]]
            if start.chance(4):
                sources.append(sources[0])
            upstream = [self.constant(start, target.shape) for target in targets] if start.chance(3) else None
            found = tape.gradient(targets, sources, upstream, "zero" if start.chance(4) else "none")
            again = [tape.gradient(targets[0], sources[0])] if self.persistent else []
            squares = [tf.convert_to_tensor(each) for each in found if self.nested and each is not None][:2]
            squares = [each * each for each in squares]
        second = outer.gradient(squares, [*leaves[:2], self.variables[0]]) if squares else []
        return {
            "values": [*self.values, *self.plain],
            "gradients": [*found, *again],
            "second gradients": second,
            "variables": [each.read_value() for each in self.variables],
        }


def as_arrays(tf, results):
    """What a program gave, as arrays or None, with the names of dtypes, and which gradients are sparse."""
    plain = {}
    for name, tensors in results.items():
        plain[name] = [None if t is None else (tf.convert_to_tensor(t).numpy(), t.dtype.name) for t in tensors]
        if name != "values":
            plain[f"sparse {name}"] = [type(t).__name__ == "IndexedSlices" for t in tensors]
    return plain


def differences(found, expected, tolerance):
    """Where two results differ, as sentences: (what, number, the difference)."""
    wrong = []
    for name, theirs in expected.items():
        mine = found[name]
        if len(mine) != len(theirs):
            wrong.append((name, -1, f"{len(mine)} of {len(theirs)}"))
            continue
        for i, (a, b) in enumerate(zip(mine, theirs)):
            if a is None or b is None or isinstance(a, bool):
                if a is not b:
                    wrong.append((name, i, f"{_short(a)} instead of {_short(b)}"))
            elif not have_same_form(a, b):
                wrong.append((name, i, f"{a[1]} {np.shape(a[0])} instead of {b[1]} {np.shape(b[0])}"))
            elif np.asarray(a[0]).dtype.kind in "OSUbiu":
                if np.asarray(a[0]).tolist() != np.asarray(b[0]).tolist():
                    wrong.append((name, i, f"{_short(a)} instead of {_short(b)}"))
            elif error(a[0], b[0]) > tolerance:
                wrong.append((name, i, f"an error of {error(a[0], b[0]):.1e}: {_short(a)} instead of {_short(b)}"))
    return wrong


def have_same_form(mine, theirs):
    """Whether two results are arrays of one shape and dtype."""
    arrays = isinstance(mine, tuple) and isinstance(theirs, tuple)
    return arrays and (np.shape(mine[0]), mine[1]) == (np.shape(theirs[0]), theirs[1])


def error(mine, theirs):
    """The largest difference, relative to the largest element; inf where one is not finite and the other is, or is another."""
    a, b = np.asarray(mine, dtype=complex), np.asarray(theirs, dtype=complex)
    if not a.size:
        return 0.0
    odd = ~(np.isfinite(a) & np.isfinite(b))
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    if (odd & ~same).any():
        return math.inf
    if odd.all():
        return 0.0
    apart = np.abs(np.where(odd, 0, a) - np.where(odd, 0, b)).max()
    return float(apart / max(1.0, np.abs(np.where(odd, 0, b)).max()))


def _short(value):
    if value is None or isinstance(value, bool):
        return str(value)
    return np.array2string(np.asarray(value[0]).ravel()[:6], precision=5)

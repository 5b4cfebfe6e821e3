"""Many ops on small arrays: the cost of an op beyond its arithmetic."""

import numpy as np

X = np.full((8, 8), 0.5, np.float32)
THIRDS = 50  # the chain repeats three ops this many times


def chain_numpy(_):
    def step():
        y, kept = X, []
        for _ in range(THIRDS):
            s = np.sin(y)
            kept.append((y, s))
            y = s * X
            y = y + X
        g, total = np.ones_like(y), np.zeros_like(X)
        for before, s in reversed(kept):
            total += g
            total += g * s
            g = g * X
            g = g * np.cos(before)
        return total + g

    return step


def chain_tape(tf):
    x = tf.constant(X)

    def step():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(THIRDS):
                y = tf.sin(y)
                y = y * x
                y = y + x
        return tape.gradient(y, x)

    return step


def chain_torch(torch):
    x = torch.tensor(X, requires_grad=True)

    def step():
        y = x
        for _ in range(THIRDS):
            y = torch.sin(y)
            y = y * x
            y = y + x
        return torch.autograd.grad(y, x, torch.ones_like(y))

    return step


def chain_autograd(autograd):
    anp = autograd.numpy

    def total(x):
        y = x
        for _ in range(THIRDS):
            y = anp.sin(y)
            y = y * x
            y = y + x
        return anp.sum(y)

    gradient = autograd.grad(total)
    return lambda: gradient(X)


# -- one scalar op after the other: does the cost of a record stay constant? --


def _scalars_tape(tf, count):
    x = tf.constant(1.0)

    def step():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(count):
                y = y + x
        return tape.gradient(y, x)

    return step


def _scalars_torch(torch, count):
    x = torch.tensor(1.0, requires_grad=True)

    def step():
        y = x
        for _ in range(count):
            y = y + x
        return torch.autograd.grad(y, x)

    return step


def _scalars_autograd(autograd, count):
    def total(x):
        y = x
        for _ in range(count):
            y = y + x
        return y

    gradient = autograd.grad(total)
    return lambda: gradient(1.0)


def scalars_20k_tape(tf):
    return _scalars_tape(tf, 20_000)


def scalars_20k_torch(torch):
    return _scalars_torch(torch, 20_000)


def scalars_20k_autograd(autograd):
    return _scalars_autograd(autograd, 20_000)


def scalars_1m_tape(tf):
    return _scalars_tape(tf, 1_000_000)


def scalars_1m_torch(torch):
    return _scalars_torch(torch, 1_000_000)


def scalars_1m_autograd(autograd):
    return _scalars_autograd(autograd, 1_000_000)


def record_memory_whygrad(tf):
    """Keep 20,000 records alive."""
    x = tf.constant(1.0)

    def step():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(20_000):
                y = y + x
        return tape, y

    return step


# -- a loop that slices, squares and sums each row of an array: are n slices linear in n? --


def _rows(n):
    return np.random.default_rng(0).normal(size=(n, 256)).astype(np.float32)


def _rows_numpy(n):
    data = _rows(n)

    def step():
        total, g = np.float32(0), np.zeros_like(data)
        for i in range(n):
            row = data[i]
            total = total + np.sum(row * row)
        for i in reversed(range(n)):
            g[i] += 2 * data[i]
        return g

    return step


def _rows_tape(tf, n):
    x = tf.constant(_rows(n))

    def step():
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.constant(0.0)
            for i in range(n):
                total = total + tf.reduce_sum(tf.square(x[i]))
        return tape.gradient(total, x)

    return step


def _rows_torch(torch, n):
    x = torch.tensor(_rows(n), requires_grad=True)

    def step():
        total = torch.tensor(0.0)
        for i in range(n):
            total = total + torch.sum(torch.square(x[i]))
        return torch.autograd.grad(total, x)

    return step


def _rows_autograd(autograd, n):
    anp = autograd.numpy
    data = _rows(n)

    def total(x):
        result = 0.0
        for i in range(n):
            result = result + anp.sum(anp.square(x[i]))
        return result

    gradient = autograd.grad(total)
    return lambda: gradient(data)


def rows_500_numpy(_):
    return _rows_numpy(500)


def rows_500_tape(tf):
    return _rows_tape(tf, 500)


def rows_500_torch(torch):
    return _rows_torch(torch, 500)


def rows_500_autograd(autograd):
    return _rows_autograd(autograd, 500)


def rows_2000_numpy(_):
    return _rows_numpy(2_000)


def rows_2000_tape(tf):
    return _rows_tape(tf, 2_000)


def rows_2000_torch(torch):
    return _rows_torch(torch, 2_000)


def rows_2000_autograd(autograd):
    return _rows_autograd(autograd, 2_000)

"""Few ops on large arrays: the cost beyond the arithmetic and the memory traffic."""

import numpy as np

LINE = np.linspace(0.1, 1.0, 1_000_000, dtype=np.float32)
ROWS = np.random.default_rng(0).integers(0, 300_000, 64)
TABLE = np.ones((300_000, 16), np.float32)


def line_numpy(_):
    x = LINE

    def step():
        s = np.sin(x)
        p = s * x
        e = np.exp(p)
        q = e + x
        y = np.tanh(q)
        g = 1 - y * y
        part = g * e
        total = part * x
        total *= np.cos(x)
        part *= s
        total += part
        total += g
        return total

    return step


def line_tape(tf):
    x = tf.constant(LINE)

    def step():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(tf.exp(tf.sin(x) * x) + x)
        return tape.gradient(y, x)

    return step


def line_torch(torch):
    x = torch.tensor(LINE, requires_grad=True)

    def step():
        y = torch.tanh(torch.exp(torch.sin(x) * x) + x)
        return torch.autograd.grad(y, x, torch.ones_like(y))

    return step


def line_autograd(autograd):
    anp = autograd.numpy
    gradient = autograd.elementwise_grad(lambda x: anp.tanh(anp.exp(anp.sin(x) * x) + x))
    return lambda: gradient(LINE)


def gather_numpy(_):
    return lambda: (2 * TABLE[ROWS], ROWS)


def gather_tape(tf):
    table, rows = tf.Variable(TABLE), tf.constant(ROWS)

    def step():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.square(tf.gather(table, rows)))
        return tape.gradient(y, table)

    return step


def gather_torch(torch):
    table, rows = torch.tensor(TABLE, requires_grad=True), torch.tensor(ROWS)

    def step():
        found = torch.nn.functional.embedding(rows, table, sparse=True)
        return torch.autograd.grad(torch.sum(torch.square(found)), table)

    return step


def gather_autograd(autograd):
    anp = autograd.numpy
    gradient = autograd.grad(lambda table: anp.sum(anp.square(table[ROWS])))
    return lambda: gradient(TABLE)

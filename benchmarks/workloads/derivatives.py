"""Derivatives of many outputs, and derivatives of derivatives."""

import numpy as np

rng = np.random.default_rng(0)
W = (rng.normal(size=(32, 32)) / 6).astype(np.float32)
V = rng.normal(size=32).astype(np.float32)


def jacobian_numpy(_):
    def step():
        y = np.tanh(V @ W)
        return (1 - y * y)[:, None] * W.T

    return step


def jacobian_tape(tf):
    x, w = tf.constant(V), tf.constant(W)

    def step():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(tf.reshape(x, (1, 32)) @ w)
        return tape.jacobian(y, x)

    return step


def jacobian_torch(torch):
    x, w = torch.tensor(V), torch.tensor(W)
    jacobian = torch.func.jacrev(lambda x: torch.tanh(x.reshape(1, 32) @ w))
    return lambda: jacobian(x)


def jacobian_autograd(autograd):
    anp = autograd.numpy
    jacobian = autograd.jacobian(lambda x: anp.tanh(anp.dot(x, W)))
    return lambda: jacobian(V)


def second_order_numpy(_):
    def step():
        s, c = np.sin(V), np.cos(V)
        g = 3 * V**2 * s + V**3 * c
        return 6 * V * s + 6 * V**2 * c - V**3 * s, g

    return step


def second_order_tape(tf):
    x = tf.constant(V)

    def step():
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x * tf.sin(x)
            g = inner.gradient(y, x)
        return outer.gradient(g, x)

    return step


def second_order_torch(torch):
    x = torch.tensor(V, requires_grad=True)

    def step():
        y = x * x * x * torch.sin(x)
        (g,) = torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)
        return torch.autograd.grad(g, x, torch.ones_like(g))

    return step


def second_order_autograd(autograd):
    anp = autograd.numpy
    second = autograd.elementwise_grad(autograd.elementwise_grad(lambda x: x * x * x * anp.sin(x)))
    return lambda: second(V)

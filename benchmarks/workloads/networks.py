"""Training steps: dense layers, convolution, attention, and the memory of a deep network."""

import numpy as np


def normal(*shape, scale=1.0):
    return np.random.default_rng(0).normal(scale=scale, size=shape).astype(np.float32)


# -- a network of two layers, 784-128-10, batch 64, with update --

X = normal(64, 784)
LABELS = np.random.default_rng(0).integers(0, 10, 64)
RATE = 0.1


def _layers():
    return [
        normal(784, 128, scale=0.05),
        np.zeros(128, np.float32),
        normal(128, 10, scale=0.1),
        np.zeros(10, np.float32),
    ]


def mlp_numpy(_):
    parameters = _layers()
    w1, b1, w2, b2 = parameters
    everyone, rate = np.arange(64), np.float32(RATE)

    def step():
        before = X @ w1 + b1
        hidden = np.maximum(before, 0)
        logits = hidden @ w2 + b2
        shifted = logits - logits.max(1, keepdims=True)
        powers = np.exp(shifted)
        shares = powers / powers.sum(1, keepdims=True)
        loss = -np.log(shares[everyone, LABELS]).mean()
        g = shares
        g[everyone, LABELS] -= 1
        g /= 64
        g_hidden = g @ w2.T
        g_w2, g_b2 = hidden.T @ g, g.sum(0)
        g_hidden *= before > 0
        gradients = X.T @ g_hidden, g_hidden.sum(0), g_w2, g_b2
        for parameter, gradient in zip(parameters, gradients):
            parameter -= rate * gradient
        return loss

    return step


def mlp_tape(tf):
    parameters = [tf.Variable(each) for each in _layers()]
    w1, b1, w2, b2 = parameters
    x, labels = tf.constant(X), tf.constant(LABELS)

    def step():
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(x @ w1 + b1)
            logits = hidden @ w2 + b2
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        for parameter, gradient in zip(parameters, tape.gradient(loss, parameters)):
            parameter.assign_sub(RATE * gradient)
        return loss

    return step


def mlp_torch(torch):
    parameters = [torch.tensor(each, requires_grad=True) for each in _layers()]
    w1, b1, w2, b2 = parameters
    x, labels = torch.tensor(X), torch.tensor(LABELS)

    def step():
        hidden = torch.relu(x @ w1 + b1)
        loss = torch.nn.functional.cross_entropy(hidden @ w2 + b2, labels)
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients):
                parameter -= RATE * gradient
        return loss

    return step


def mlp_autograd(autograd):
    anp = autograd.numpy
    parameters = _layers()
    everyone = np.arange(64)

    def loss(parameters):
        w1, b1, w2, b2 = parameters
        hidden = anp.maximum(anp.dot(X, w1) + b1, 0)
        logits = anp.dot(hidden, w2) + b2
        shifted = logits - anp.max(logits, axis=1, keepdims=True)
        surprise = anp.log(anp.sum(anp.exp(shifted), axis=1)) - shifted[everyone, LABELS]
        return anp.mean(surprise)

    gradient_of = autograd.grad(loss)

    def step():
        for parameter, gradient in zip(parameters, gradient_of(parameters)):
            parameter -= np.float32(RATE) * gradient

    return step


# -- convolution: 16 images of 28 by 28 with 8 channels, 16 filters of 3 by 3, relu, 2 by 2 pooling --

IMAGES = normal(16, 28, 28, 8)
FILTERS = normal(3, 3, 8, 16, scale=0.1)


def convolution_tape(tf):
    x, w = tf.constant(IMAGES), tf.Variable(FILTERS)

    def step():
        with tf.GradientTape() as tape:
            y = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME")), 2, 2, "VALID")
            loss = tf.reduce_mean(tf.square(y))
        return tape.gradient(loss, w)

    return step


def convolution_torch(torch):
    functional = torch.nn.functional
    x = torch.tensor(IMAGES.transpose(0, 3, 1, 2).copy())
    w = torch.tensor(FILTERS.transpose(3, 2, 0, 1).copy(), requires_grad=True)

    def step():
        y = functional.max_pool2d(torch.relu(functional.conv2d(x, w, padding=1)), 2, 2)
        return torch.autograd.grad(torch.mean(torch.square(y)), w)

    return step


# -- attention: 4 sequences of 64 elements, 64 wide, 4 heads of 16 --

TOKENS = normal(4, 64, 64)
PROJECTIONS = [normal(64, 64, scale=0.1) for _ in range(4)]


def attention_tape(tf):
    x = tf.constant(TOKENS)
    weights = [tf.Variable(each) for each in PROJECTIONS]

    def step():
        with tf.GradientTape() as tape:
            q, k, v = (tf.transpose(tf.reshape(x @ w, (4, 64, 4, 16)), (0, 2, 1, 3)) for w in weights[:3])
            scores = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / 16**0.5)
            mixed = tf.reshape(tf.transpose(scores @ v, (0, 2, 1, 3)), (4, 64, 64))
            loss = tf.reduce_mean(tf.square(mixed @ weights[3]))
        return tape.gradient(loss, weights)

    return step


def attention_torch(torch):
    x = torch.tensor(TOKENS)
    weights = [torch.tensor(each, requires_grad=True) for each in PROJECTIONS]

    def step():
        q, k, v = ((x @ w).reshape(4, 64, 4, 16).permute(0, 2, 1, 3) for w in weights[:3])
        scores = torch.softmax(q @ k.transpose(-1, -2) / 16**0.5, -1)
        mixed = (scores @ v).permute(0, 2, 1, 3).reshape(4, 64, 64)
        return torch.autograd.grad(torch.mean(torch.square(mixed @ weights[3])), weights)

    return step


def attention_autograd(autograd):
    anp = autograd.numpy

    def loss(weights):
        q, k, v = (anp.transpose(anp.reshape(anp.dot(TOKENS, w), (4, 64, 4, 16)), (0, 2, 1, 3)) for w in weights[:3])
        scores = anp.matmul(q, anp.swapaxes(k, -1, -2)) / 16**0.5
        powers = anp.exp(scores - anp.max(scores, axis=-1, keepdims=True))
        shares = powers / anp.sum(powers, axis=-1, keepdims=True)
        mixed = anp.reshape(anp.transpose(anp.matmul(shares, v), (0, 2, 1, 3)), (4, 64, 64))
        return anp.mean(anp.square(anp.dot(mixed, weights[3])))

    gradient = autograd.grad(loss)
    return lambda: gradient(PROJECTIONS)


# -- 50 layers, 1024 wide, batch 256: created in the step, so that their memory counts --

DEPTH, WIDTH, BATCH = 50, 1024, 256


def _deep():
    scale = (2 / WIDTH) ** 0.5
    for _ in range(DEPTH):
        yield normal(WIDTH, WIDTH, scale=scale)


def deep_memory_numpy(_):
    def step():
        weights = list(_deep())
        activations = [normal(BATCH, WIDTH)]
        for w in weights:
            activations.append(np.maximum(activations[-1] @ w, 0))
        g = activations[-1] * np.float32(2 / activations[-1].size)
        gradients = []
        for w in reversed(weights):
            g *= activations.pop() > 0
            gradients.append(activations[-1].T @ g)
            g = g @ w.T
        return gradients

    return step


def deep_memory_tape(tf):
    def step():
        weights = [tf.Variable(each) for each in _deep()]
        h = tf.constant(normal(BATCH, WIDTH))
        with tf.GradientTape() as tape:
            for w in weights:
                h = tf.nn.relu(h @ w)
            loss = tf.reduce_mean(tf.square(h))
        return tape.gradient(loss, weights)

    return step


def deep_memory_torch(torch):
    def step():
        weights = [torch.tensor(each, requires_grad=True) for each in _deep()]
        h = torch.tensor(normal(BATCH, WIDTH))
        for w in weights:
            h = torch.relu(h @ w)
        loss = torch.mean(torch.square(h))
        del h
        return torch.autograd.grad(loss, weights)

    return step

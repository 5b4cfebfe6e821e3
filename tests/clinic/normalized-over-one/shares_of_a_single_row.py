import numpy as np
import whygrad

x = np.array([[0.5, -1.0, 2.0]])
W0 = np.random.default_rng(1).normal(size=(3, 4))
target = np.array([[0.0, 1.0, 0.0, 0.0]])


def softmax(z):
    e = np.exp(z - z.max())
    return e / e.sum(axis=0)  # cause


def loss(W):
    p = softmax(x @ W)
    return -np.sum(target * np.log(p))


W = W0
for _ in range(5):
    W = W - 0.5 * whygrad.grad(loss)(W)
print(loss(W), np.abs(W - W0).max())

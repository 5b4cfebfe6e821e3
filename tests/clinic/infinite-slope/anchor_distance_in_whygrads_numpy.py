import whygrad.numpy as np
from whygrad import value_and_grad

anchors = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
ranges = np.array([0.1, 3.9, 3.1])


def distances(p):
    return np.linalg.norm(anchors - p, axis=1)  # cause


def cost(p):
    return np.mean((distances(p) - ranges) ** 2)


step = value_and_grad(cost)
p = np.array([0.0, 0.0])
for k in range(4):
    value, g = step(p)
    print(k, value, g)
    p = p - 0.1 * g

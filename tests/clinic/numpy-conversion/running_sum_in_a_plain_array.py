import numpy
import whygrad.numpy as np
from whygrad import grad


def cumulative(x):
    out = numpy.zeros(len(x))
    total = 0.0
    for i in range(len(x)):
        total = total + x[i] ** 2
        out[i] = total  # cause
    return out


def objective(x):
    return np.sum(cumulative(x) * 0.5)


x0 = np.array([1.0, -2.0, 0.5])
print(objective(x0))
print(grad(objective)(x0))

"""An integrator with steps of varying size: the error estimate is a plain number, which only decides how far to go."""

import numpy as np

import whygrad


def slope(y, rate):
    return -rate * y


def integrate(rate, end=2.0, tolerance=1e-3):
    y, t, h = 1.0, 0.0, 0.1
    while t < end - 1e-12:
        h = min(h, end - t)
        euler = y + h * slope(y, rate)
        middle = y + 0.5 * h * slope(y, rate)
        better = y + h * slope(middle, rate)
        error = abs(float(better - euler))
        if error > tolerance:
            h *= 0.5
            continue
        y, t = better, t + h
        h *= 1.5
    return y


energies = []


def cutoff(positions, limit=1.0):
    distance = np.abs(positions[1:] - positions[:-1])
    near = np.asarray(distance) < limit
    energy = np.sum(np.where(near, (1.0 - distance) ** 2, 0.0))
    energies.append(float(energy))
    return energy


print(whygrad.value_and_grad(lambda p: (integrate(p[0]) * p[1] - 0.3) ** 2)(np.array([1.0, 1.2])))
print(whygrad.grad(cutoff)(np.array([0.0, 0.4, 2.0, 2.7])), energies)

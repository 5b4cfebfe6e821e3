import numpy as np
import whygrad
from scipy.interpolate import CubicSpline

knots = np.linspace(0, 1, 6)
spline = CubicSpline(knots, np.sin(knots * 3))


def potential(x):
    return np.sum(spline(x) * 1.0) + 0.1 * np.sum(x**2)  # cause


print(whygrad.grad(potential)(np.array([0.2, 0.7])))

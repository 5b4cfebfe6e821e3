"""A robust fit by Newton's method: the absolute error has a slope that is constant in pieces, so its Hessian is zero."""

import numpy as np

import whygrad

rng = np.random.default_rng(4)
design = np.column_stack([np.ones(25), rng.normal(size=(25, 2))])
observed = design @ np.array([0.5, -1.0, 2.0]) + 0.1 * rng.standard_t(2, size=25)


def absolute_error(theta):
    residual = design @ theta - observed
    return np.mean(np.abs(residual))  # cause


def newton_step(cost, theta):
    gradient = whygrad.grad(cost)(theta)
    curvature = whygrad.hessian(cost)(theta)
    return theta - np.linalg.lstsq(curvature, gradient, rcond=None)[0]


theta = np.zeros(3)
for _ in range(4):
    theta = newton_step(absolute_error, theta)
print(theta, absolute_error(theta))

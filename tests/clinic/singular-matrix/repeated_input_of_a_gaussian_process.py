"""A Gaussian process whose data hold one input twice: two rows of the kernel are equal, and it has no Cholesky factor."""

import numpy as np
from scipy.optimize import minimize

import whygrad

inputs = np.array([0.0, 0.5, 0.5, 1.0, 1.5])
heights = np.array([0.1, 0.4, 0.42, 0.9, 1.0])


class Process:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def kernel(self, theta):
        amplitude, length = np.exp(theta[0]), np.exp(theta[1])
        squared = (self.x[:, None] - self.x[None, :]) ** 2
        return amplitude * np.exp(-0.5 * squared / length**2)

    def negative_log_likelihood(self, theta):
        covariance = self.kernel(theta)
        factor = np.linalg.cholesky(covariance)  # cause
        weights = np.linalg.solve(factor, self.y)
        return 0.5 * np.sum(weights**2) + np.sum(np.log(np.diag(factor)))


process = Process(inputs, heights)
start = np.array([0.0, -0.5])
found = minimize(whygrad.value_and_grad(process.negative_log_likelihood), start, jac=True, options={"maxiter": 3})
print(found.x)

"""whygrad.grad of plain NumPy-style code drives scipy's BFGS; the hessian is checked at the end."""
import numpy as np
import whygrad
import whygrad.numpy as wnp
from scipy.optimize import minimize


def rosenbrock(x):
    return wnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def penalised(x, bound=2.0):
    over = wnp.maximum(wnp.abs(x) - bound, 0.0)
    return rosenbrock(x) + 10.0 * wnp.sum(over**2)


gradient = whygrad.grad(penalised)
start = np.array([-1.2, 1.0, 0.8, 0.5])
result = minimize(lambda x: float(penalised(x)), start, jac=lambda x: np.asarray(gradient(x)), method="BFGS")
print(result.success, np.round(result.x, 3))
hessian = whygrad.hessian(rosenbrock)(result.x)
print(np.linalg.eigvalsh(np.asarray(hessian)).min() > 0)

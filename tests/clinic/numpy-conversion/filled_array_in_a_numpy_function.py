"""whygrad.grad of NumPy code that fills an array element by element with floats."""
import numpy as np
import whygrad
import whygrad.numpy as wnp

x0 = np.array([0.5, 1.0, 1.5])


def energy_of_chain(stiffness):
    forces = np.zeros(3)
    for i in range(3):
        forces[i] = float(stiffness[i]) * x0[i]  # cause
    return wnp.sum(wnp.asarray(forces) ** 2) + wnp.sum(stiffness**2) * 0.0


def fit(start, rate=0.1):
    k = np.array(start)
    slope_of = whygrad.grad(energy_of_chain)
    for step in range(3):
        slope = slope_of(k)
        print(step, float(energy_of_chain(k)), slope)
        k = k - rate * slope
    return k


print(fit([1.0, 2.0, 3.0]))

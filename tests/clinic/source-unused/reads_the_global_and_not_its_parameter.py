import numpy as np
import whygrad

A = np.array([[2.0, 1.0], [1.0, 3.0]])
v = np.array([1.0, -1.0])


def rayleigh(M):
    return (v @ A @ v) / (v @ v)  # cause


dR = whygrad.grad(rayleigh)(A)
print(dR)

"""Flow through a porous rock: np.vectorize calls the law of one cell with plain numbers, so its slope is lost."""

import numpy as np

import whygrad


@np.vectorize
def relative_permeability(saturation):
    if saturation < 0.2:
        return 0.0
    return (saturation - 0.2) ** 2 / 0.64


def flux(saturation, cell=0.1):
    mobility = relative_permeability(saturation)  # cause
    gradient = np.diff(saturation) / cell
    return -0.5 * (mobility[1:] + mobility[:-1]) * gradient


def total_flow(saturation):
    return np.sum(flux(saturation))


print(whygrad.grad(total_flow)(np.array([0.9, 0.7, 0.55, 0.3, 0.1])))

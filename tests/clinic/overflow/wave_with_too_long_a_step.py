"""A wave on a grid with a time step beyond the stable one: it grows until its square leaves the range of float64."""

import numpy as np

import whygrad

CELLS = 40
grid = np.linspace(0.0, 1.0, CELLS)


class Wave:
    def __init__(self, step):
        self.step, self.spacing = step, grid[1] - grid[0]

    def curvature(self, u):
        return (np.roll(u, 1) - 2.0 * u + np.roll(u, -1)) / self.spacing**2

    def run(self, speed, steps):
        u, v = np.exp(-100.0 * (grid - 0.5) ** 2), np.zeros(CELLS)
        for _ in range(steps):
            v = v + self.step * speed**2 * self.curvature(u)
            u = u + self.step * v
        return u


def energy(speed):
    field = Wave(step=0.05).run(speed, steps=200)
    return np.mean(field**2)  # cause


print(whygrad.value_and_grad(energy)(1.0))

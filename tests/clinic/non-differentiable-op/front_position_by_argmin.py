"""The position of a reaction front, found on a grid: the nearest grid point is an index, which does not change under a small step."""

import numpy as np

import whygrad

grid = np.linspace(0.0, 10.0, 201)


class Front:
    def __init__(self, measured):
        self.measured = measured

    def concentration(self, params):
        centre, width = params["centre"], params["width"]
        return 0.5 * (1.0 - np.tanh((grid - centre) / width))

    def position(self, params, level=0.5):
        distance = np.abs(self.concentration(params) - level)
        nearest = np.argmin(distance)  # cause
        return grid[nearest]

    def misfit(self, params):
        return (self.position(params) - self.measured) ** 2


front = Front(measured=4.2)
params = {"centre": 3.0, "width": 0.8}
for step in range(3):
    slope = whygrad.grad(front.misfit)(params)
    params = {name: value - 0.1 * slope[name] for name, value in params.items()}
print(params, front.misfit(params))

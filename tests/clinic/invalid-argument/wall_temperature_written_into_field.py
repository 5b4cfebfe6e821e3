"""Heat flow in a rod, differentiated with respect to the initial temperatures: each step writes the walls into the new field."""

import numpy as np

import whygrad

CELLS, STEPS = 12, 30


class Rod:
    def __init__(self, conductivity, left, right):
        self.conductivity, self.left, self.right = conductivity, left, right

    def diffuse(self, u):
        return u + self.conductivity * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))

    def step(self, u):
        new = self.diffuse(u)
        new[0] = self.left  # cause
        new[-1] = self.right  # cause
        return new

    def mismatch(self, start, goal):
        u = start
        for _ in range(STEPS):
            u = self.step(u)
        return np.mean((u - goal) ** 2)


rod = Rod(0.2, left=0.0, right=1.0)
goal = np.linspace(0.0, 1.0, CELLS)
start = np.full(CELLS, 0.5)
gradient = whygrad.grad(rod.mismatch)
for _ in range(3):
    start = start - 0.5 * gradient(start, goal)
print(rod.mismatch(start, goal))

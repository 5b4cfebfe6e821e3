"""Steer smoke by differentiating a flow solver, including its pressure projection.

The velocity of a two-dimensional incompressible flow is a field of shape (2, ny, nx) on a staggered grid, periodic in both
directions. Each time step advects the velocity by itself and then projects it: Jacobi iterations find the pressure that removes its
divergence, and the pressure's gradient is subtracted. A few iterations leave some divergence; its square is the constraint violation.
Which initial velocity carries a bar of smoke into the shape of a W? Gradient descent on all 2 ny nx numbers of that velocity, through
every advection and every Jacobi iteration, minimizes the difference in smoke plus the constraint violation.

    python examples/pressure_projection.py --out flow.png
"""

import itertools

import numpy as np
from common import BLUE, ORANGE, Adam, arguments, curve, plt, save, show, watch

import whygrad as tf

JACOBI, TIME_STEP, VIOLATION_WEIGHT = 20, 1.0, 0.2
DAMPING = 0.8  # of the Jacobi iterations: with 1 they would never remove a checkerboard divergence


def divergence(velocity):
    """(ny, nx), from velocities (2, ny, nx) on the left and lower faces of the cells."""
    right, up = velocity[0], velocity[1]
    return tf.roll(right, -1, axis=1) - right + tf.roll(up, -1, axis=0) - up


def gradient_of(pressure):
    """Differences of the pressure across the left and lower faces, (2, ny, nx)."""
    return tf.stack([pressure - tf.roll(pressure, 1, axis=1), pressure - tf.roll(pressure, 1, axis=0)])


def project(velocity, iterations=JACOBI):
    """Return the velocity with (most of) its divergence removed, by Jacobi iterations for the pressure."""
    source = divergence(velocity)
    pressure = tf.zeros_like(source)
    for _ in range(iterations):
        sides = tf.roll(pressure, 1, axis=0) + tf.roll(pressure, -1, axis=0)
        sides += tf.roll(pressure, 1, axis=1) + tf.roll(pressure, -1, axis=1)
        pressure += DAMPING * ((sides - source) / 4.0 - pressure)
    return velocity - gradient_of(pressure)


def advect(field, velocity):
    """Carry a field for one time step: each cell takes the upstream value, interpolated between four cells."""
    ny, nx = field.shape
    rows, columns = np.mgrid[0:ny, 0:nx].astype("float32")
    x = columns - TIME_STEP * velocity[0]
    y = rows - TIME_STEP * velocity[1]
    left, low = tf.floor(x), tf.floor(y)
    a, b = x - left, y - low  # fractions towards the next column and row
    left, low = tf.cast(left, tf.int32) % nx, tf.cast(low, tf.int32) % ny
    right, high = (left + 1) % nx, (low + 1) % ny
    cells = tf.reshape(field, (-1,))
    lower = (1.0 - a) * tf.gather(cells, low * nx + left) + a * tf.gather(cells, low * nx + right)
    upper = (1.0 - a) * tf.gather(cells, high * nx + left) + a * tf.gather(cells, high * nx + right)
    return (1.0 - b) * lower + b * upper


def simulate(velocity, smoke, time_steps):
    """Return the smoke at all times, and the mean constraint violation that the solver leaves."""
    smokes, violation = [smoke], 0.0
    velocity = project(velocity)
    for _ in range(time_steps):
        carried = tf.stack([advect(velocity[0], velocity), advect(velocity[1], velocity)])
        velocity = project(carried)
        violation += tf.reduce_mean(divergence(velocity) ** 2) / time_steps
        smokes.append(advect(smokes[-1], velocity))
    return smokes, violation


def scene(size):
    """Return the initial bar of smoke and the target W, each (size, size) with the same amount of smoke."""
    y, x = np.mgrid[0:size, 0:size] / size
    stroke = np.full((size, size), np.inf)
    corners = [(0.18, 0.75), (0.34, 0.28), (0.5, 0.6), (0.66, 0.28), (0.82, 0.75)]
    for (x0, y0), (x1, y1) in itertools.pairwise(corners):
        along = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2), 0, 1)
        stroke = np.minimum(stroke, np.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0)))
    letter = 1 / (1 + np.exp((stroke - 0.06) * 2 * size))
    height = letter.sum() / (0.7 * size * size)
    bar = (
        1 / (1 + np.exp((np.abs(y - 0.5) - height / 2) * 2 * size)) / (1 + np.exp((np.abs(x - 0.5) - 0.35) * 2 * size))
    )
    bar *= letter.sum() / bar.sum()
    return bar.astype("float32"), letter.astype("float32")


def train(velocity, smoke, target, time_steps, steps):
    """Yield (loss, mismatch of the smoke, constraint violation) before each step."""
    optimizer = Adam([velocity], rate=0.02)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            smokes, violation = simulate(velocity, smoke, time_steps)
            mismatch = tf.reduce_mean((smokes[-1] - target) ** 2) / float(np.mean(target**2))
            loss = mismatch + VIOLATION_WEIGHT * violation
        gradient = tape.gradient(loss, velocity)
        assert gradient.shape == velocity.shape  # (2, ny, nx): one number per face of the grid
        yield float(loss), float(mismatch), float(violation)
        optimizer.apply([gradient])


def picture(velocity, smokes, target, history):
    figure, axes = plt.subplots(2, 4, figsize=(14, 7), layout="constrained")
    last = len(smokes) - 1
    for place, moment in zip(axes[0], [0, last // 2, last]):
        show(place, smokes[moment], f"Smoke after {moment} time steps", origin="lower", vmin=0, vmax=1)
    show(axes[0, 3], target, "Wanted", origin="lower", vmin=0, vmax=1)

    projected = project(velocity)
    limit = float(tf.reduce_max(tf.abs(divergence(velocity))))
    for place, field, name in [(axes[1, 0], velocity, "before"), (axes[1, 1], projected, "after")]:
        wrong = divergence(field)
        title = f"Divergence {name} projection (norm {float(tf.norm(wrong)):.3g})"
        show(place, wrong, title, origin="lower", cmap="RdBu", vmin=-limit, vmax=limit)
    speed = tf.norm(projected, axis=0)
    show(axes[1, 2], speed, "First velocity found, projected", origin="lower", cmap="Blues")
    every = max(1, len(target) // 16)
    y, x = np.mgrid[0 : len(target) : every, 0 : len(target) : every]
    right, up = projected.numpy()[:, ::every, ::every]
    axes[1, 2].quiver(x, y, right, up, width=0.005)
    curve(axes[1, 3], [row[1] for row in history], "Along the descent", BLUE, "difference in smoke")
    curve(axes[1, 3], [row[2] for row in history], "Along the descent", ORANGE, "constraint violation")
    axes[1, 3].set_yscale("log")
    axes[1, 3].set_box_aspect(1)
    axes[1, 3].legend()
    return figure


def main(argv=None):
    chosen = arguments(__file__, argv, steps=120, small=8)
    size, time_steps = (16, 4) if chosen.small else (48, 20)
    rng = np.random.default_rng(chosen.seed)
    smoke, target = scene(size)
    velocity = tf.Variable(rng.normal(scale=0.01, size=(2, size, size)).astype("float32"))
    history = watch(train(velocity, smoke, target, time_steps, chosen.steps), chosen.steps, "descending")
    smokes, _ = simulate(velocity, smoke, time_steps)
    print(f"difference in smoke {history[0][1]:.4f} at first, {history[-1][1]:.4f} at last")
    before, after = tf.norm(divergence(velocity)), tf.norm(divergence(project(velocity)))
    print(f"divergence of the velocity found {float(before):.4f}, after projection {float(after):.4f}")
    save(picture(velocity, [np.asarray(s) for s in smokes], target, history), chosen.out)


if __name__ == "__main__":
    main()

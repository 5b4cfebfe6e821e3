"""Measure gravity: recover it from noisy measurements of a swinging pendulum, by differentiating its simulation.

A pendulum of known length is released from six angles and its angle is measured for eight seconds, with noise. Its motion,

    angle'' = -(gravity / length) sin(angle) - friction angle' - drag angle' |angle'|

is integrated with the classical Runge-Kutta method on the tape; Adam adjusts gravity, friction and drag until the simulated angles
match the measured ones. Friction and drag affect a swing in nearly the same way, so the minimum lies in a long, flat valley: Newton's
method crosses it in a few steps, with second derivatives from a tape inside a tape. The same second derivatives give the error bars.

    python examples/physics_fit.py --out pendulum.png
"""

import numpy as np
from common import BLUE, GREEN, GREY, ORANGE, Adam, arguments, plt, save, watch

import whygrad as tf

LENGTH, SUBSTEPS, INTERVAL, NOISE = (
    1.0,
    2,
    0.1,
    0.05,
)  # metres, steps between measurements, seconds between them, radians
NAMES, TRUE, GUESS = ("gravity", "friction", "drag"), (9.81, 0.15, 0.10), (7.0, 0.5, 0.5)
ANGLES = np.linspace(0.5, 2.5, 6)  # radians, released at rest


def simulate(parameters, measurements):
    """Return the angles of all swings at each measurement, (measurements, swings)."""
    gravity, friction, drag = tf.unstack(parameters)

    def acceleration(angle, speed):
        return -(gravity / LENGTH) * tf.sin(angle) - (friction + drag * tf.abs(speed)) * speed

    angle, speed = tf.constant(ANGLES), tf.zeros_like(ANGLES)
    h = INTERVAL / SUBSTEPS
    angles = [angle]
    for _ in range(measurements - 1):
        for _ in range(SUBSTEPS):
            speed1, push1 = speed, acceleration(angle, speed)
            speed2 = speed + h / 2 * push1
            push2 = acceleration(angle + h / 2 * speed1, speed2)
            speed3 = speed + h / 2 * push2
            push3 = acceleration(angle + h / 2 * speed2, speed3)
            speed4 = speed + h * push3
            push4 = acceleration(angle + h * speed3, speed4)
            angle = angle + h / 6 * (speed1 + 2 * speed2 + 2 * speed3 + speed4)
            speed = speed + h / 6 * (push1 + 2 * push2 + 2 * push3 + push4)
        angles.append(angle)
    return tf.stack(angles)


def measure(measurements, rng):
    """Return the measurements: the true motion, with noise."""
    exact = simulate(tf.constant(TRUE, tf.float64), measurements).numpy()
    return exact + rng.normal(scale=NOISE, size=exact.shape)


def mismatch(logarithms, measured):
    """Mean squared difference in units of the noise: about 1 when only the noise is left."""
    angles = simulate(tf.exp(logarithms), len(measured))
    return tf.reduce_mean(((angles - measured) / NOISE) ** 2)


def train(logarithms, measured, steps):
    """Yield (loss, gravity, friction, drag) before each step. The fit is over logarithms, so the parameters stay positive."""
    optimizer = Adam([logarithms])
    for step in range(steps):
        optimizer.rate = 0.1 * 0.5 * (1 + np.cos(np.pi * step / steps))
        with tf.GradientTape() as tape:
            loss = mismatch(logarithms, measured)
        yield float(loss), *np.exp(logarithms.numpy())
        optimizer.apply([tape.gradient(loss, logarithms)])


def slope_and_curvature(logarithms, measured):
    """Return the first (3,) and second (3, 3) derivatives of the sum of squares."""
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            squares = measured.size * mismatch(logarithms, measured)
        slope = inner.gradient(squares, logarithms)
        slopes = tf.unstack(slope)
    return slope.numpy(), np.stack([outer.gradient(each, logarithms).numpy() for each in slopes])


def refine(logarithms, measured, steps=4):
    """Newton's method from a point near the minimum; yields (loss, gravity, friction, drag) before each step."""
    for _ in range(steps):
        slope, curvature = slope_and_curvature(logarithms, measured)
        yield float(mismatch(logarithms, measured)), *np.exp(logarithms.numpy())
        logarithms.assign_sub(np.linalg.solve(curvature, slope))


def standard_errors(logarithms, measured):
    """Return the standard error of each parameter, from the curvature of the sum of squares at its minimum."""
    _, curvature = slope_and_curvature(logarithms, measured)
    relative = np.sqrt(np.diag(2 * np.linalg.inv(curvature)))  # of the logarithm: as a fraction
    return np.exp(logarithms.numpy()) * relative


def picture(measured, logarithms, history, errors):
    figure = plt.figure(figsize=(13, 5.4), layout="constrained")
    swings, found = figure.subfigures(1, 2, width_ratios=[1.5, 1])
    times = INTERVAL * np.arange(len(measured))
    first = simulate(tf.constant(GUESS, tf.float64), len(measured)).numpy()
    fitted = simulate(tf.exp(logarithms), len(measured)).numpy()
    for i, axes in enumerate(swings.subplots(3, 2, sharex=True, sharey=True).T.flat):
        axes.plot(times, first[:, i], color=GREY, linewidth=1, linestyle=":", label="first guess")
        axes.plot(times, fitted[:, i], color=BLUE, linewidth=1.4, label="fitted")
        axes.plot(times, measured[:, i], ".", color=ORANGE, markersize=3.5, label="measured")
        axes.set_title(f"let go at {np.degrees(ANGLES[i]):.0f} degrees", fontsize=8)
    swings.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    swings.supxlabel("time (seconds)", fontsize=9)
    swings.supylabel("angle (radians)", fontsize=9)
    for i, axes in enumerate(found.subplots(4, 1, sharex=True)):
        axes.plot(history[:, i], color=(BLUE, GREEN, GREEN, GREEN)[i])
        if i == 0:
            axes.set_title("Mean squared difference, in units of the noise")
            axes.set_yscale("log")
        else:
            axes.axhline(TRUE[i - 1], color=ORANGE, linestyle="--", linewidth=1)
            axes.set_title(
                f"{NAMES[i - 1]}: {np.exp(logarithms.numpy()[i - 1]):.4f} ± {errors[i - 1]:.4f} (true {TRUE[i - 1]})"
            )
    axes.set_xlabel("step")
    return figure


def main(argv=None):
    chosen = arguments(__file__, argv, steps=120, small=25)
    rng = np.random.default_rng(chosen.seed)
    measured = measure(21 if chosen.small else 81, rng)
    logarithms = tf.Variable(np.log(GUESS))
    history = watch(train(logarithms, measured, chosen.steps), chosen.steps, "fitting with Adam")
    history = np.array(history + watch(refine(logarithms, measured), 4, "refining with Newton"))
    errors = standard_errors(logarithms, measured)
    last = float(mismatch(logarithms, measured))
    print(f"mean squared difference {history[0, 0]:.2f} at first, {last:.3f} at last, in units of the noise")
    for name, value, error, true in zip(NAMES, np.exp(logarithms.numpy()), errors, TRUE):
        print(f"{name:8} {value:.4f} ± {error:.4f} (true {true})")
    save(picture(measured, logarithms, history, errors), chosen.out)


if __name__ == "__main__":
    main()

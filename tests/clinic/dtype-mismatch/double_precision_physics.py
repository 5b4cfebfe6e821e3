from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf

G = tf.constant(6.674e-11, dtype=tf.float64)  # cause


@dataclass
class Body:
    mass: float
    position: tf.Variable = field(default_factory=lambda: tf.Variable([1.0, 0.0]))


def potential(a, b):
    distance = tf.norm(a.position - b.position)
    return -G * a.mass * b.mass / distance  # cause


earth, moon = Body(5.97e24), Body(7.35e22, tf.Variable([3.8, 0.5]))
with tf.GradientTape() as tape:
    energy = potential(earth, moon)
print("RESULT:", tape.gradient(energy, moon.position))

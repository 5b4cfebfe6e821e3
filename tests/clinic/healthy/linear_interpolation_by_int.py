"""A table is interpolated: int() finds the cell, which has no slope, and the weights inside of it carry the derivative."""

import numpy as np
import tensorflow as tf

import whygrad

density = np.array([1.22, 1.11, 1.01, 0.91, 0.82, 0.74])


def at_height(table, h):
    cell = int(h)
    weight = h - cell
    return (1.0 - weight) * table[cell] + weight * table[cell + 1]


def drag(flight):
    height, speed = flight[0], flight[1]
    return 0.5 * at_height(density, height) * speed**2


print(whygrad.grad(drag)(np.array([2.4, 30.0])))

flight = tf.Variable([2.4, 30.0])
with tf.GradientTape() as tape:
    force = 0.5 * at_height(tf.constant(density, tf.float32), flight[0]) * flight[1] ** 2
print(tape.gradient(force, flight))

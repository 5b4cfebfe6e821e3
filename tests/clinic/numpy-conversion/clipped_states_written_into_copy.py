"""A pendulum with a hard stop: the state is copied to NumPy to write the stop into it, which cuts every earlier step off."""

import numpy as np
import tensorflow as tf

damping = tf.Variable(0.3)
spring = tf.Variable(1.5)
DT = 0.05


def derivative(state):
    return tf.stack([state[1], -spring * tf.sin(state[0]) - damping * state[1]])


def stopped(state, limit=0.8):
    kept = np.copy(state)  # cause
    if kept[0] > limit:
        kept[0] = limit
        kept[1] = -0.5 * kept[1]
    return tf.constant(kept)


def swing(steps):
    state = tf.constant([0.5, 1.5])
    for _ in range(steps):
        state = stopped(state + DT * derivative(state))
    return state


with tf.GradientTape() as tape:
    angle, speed = tf.unstack(swing(40))
    loss = angle**2 + speed**2
print(tape.gradient(loss, [damping, spring]))

"""Momentum whose velocities are bound to a name in a loop, and written back; a sum over gradients that is printed."""

import tensorflow as tf

weights = [tf.Variable(1.0), tf.Variable([2.0, 3.0])]
velocities = [tf.zeros_like(each) for each in weights]
for step in range(4):
    with tf.GradientTape() as tape:
        loss = (weights[0] * tf.reduce_sum(weights[1]) - 1.0) ** 2
    gradients = tape.gradient(loss, weights)
    for i, (velocity, gradient) in enumerate(zip(velocities, gradients)):
        velocity = 0.5 * velocity + gradient
        velocities[i] = velocity
    total = 0.0
    for gradient in gradients:
        gradient = tf.reduce_sum(gradient * gradient)
        total += gradient
    print(step, float(loss), float(total))
    for weight, velocity in zip(weights, velocities):
        weight.assign_sub(0.001 * velocity)

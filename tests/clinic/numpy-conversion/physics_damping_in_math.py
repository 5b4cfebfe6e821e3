import math
import tensorflow as tf

mass = tf.Variable(1.5)
damping = tf.Variable(0.2)


def simulate(steps=20, dt=0.05):
    x, v = tf.constant(1.0), tf.constant(0.0)
    decay = math.exp(-damping * dt)  # cause
    for _ in range(steps):
        v = (v - dt * x / mass) * decay
        x = x + dt * v
    return x


with tf.GradientTape() as tape:
    loss = (simulate() - 0.3) ** 2
print("RESULT:", [None if g is None else g.numpy() for g in tape.gradient(loss, [mass, damping])])

import tensorflow as tf


class Particle:
    def __init__(self):
        self.position = tf.Variable([0.0, 10.0], trainable=False)
        self.velocity = tf.Variable([5.0, 0.0], trainable=False)

    def step(self, force, mass, dt):
        self.velocity.assign_add(dt * force / mass)  # cause
        self.position.assign_add(dt * self.velocity)  # cause


def landing_error(particle, force, mass):
    for _ in range(10):
        particle.step(force, mass, 0.1)
    return tf.reduce_sum((particle.position - tf.constant([8.0, 0.0])) ** 2)


thrust = tf.Variable([0.0, -9.8])
mass = tf.Variable(2.0)
with tf.GradientTape() as tape:
    error = landing_error(Particle(), thrust, mass)
print("RESULT:", tape.gradient(error, [thrust, mass]))

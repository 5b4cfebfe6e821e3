import tensorflow as tf


class Lens:
    def __init__(self):
        self.radius = tf.Variable(2.0)

    def sag(self, r):
        inside = self.radius ** 2 - r ** 2
        valid = inside > 0.0
        height = self.radius - inside ** 0.5  # cause
        return tf.where(valid, height, self.radius)  # cause


lens = Lens()
rays = tf.linspace(0.0, 3.0, 7)
target = tf.constant(0.5)
with tf.GradientTape() as tape:
    profile = lens.sag(rays)
    loss = tf.reduce_mean((profile - target) ** 2)
print("RESULT:", tape.gradient(loss, lens.radius).numpy())

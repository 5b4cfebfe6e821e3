"""The function of a step makes its optimizer: Adam forgets its averages, and counts from one, at every step."""
import tensorflow as tf

points = tf.random.normal((32, 2), seed=1)
heights = tf.linalg.matvec(points, [1.5, -0.5])


class Plane(tf.Module):
    def __init__(self):
        super().__init__()
        self.slope = tf.Variable(tf.zeros(2))

    def __call__(self, x):
        return tf.linalg.matvec(x, self.slope)


plane = Plane()


def fit(rate):
    adam = tf.keras.optimizers.Adam(rate)  # cause
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((plane(points) - heights) ** 2)
    gradients = tape.gradient(loss, plane.trainable_variables)
    adam.apply_gradients(zip(gradients, plane.trainable_variables))
    return loss


for step in range(5):
    print(step, fit(0.1).numpy())

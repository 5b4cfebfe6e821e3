import numpy as np
import tensorflow as tf

rng = np.random.default_rng(25)
image = tf.Variable(rng.random((1, 8, 8, 1)).astype("float32"))
goal = rng.random((1, 4, 4, 1)).astype("float32")


def shrink(batch, size, method="area"):
    return tf.image.resize(batch, [size, size], method=method)  # cause


class Matcher:
    def __init__(self, goal):
        self.goal = goal

    def loss(self, batch):
        small = shrink(batch, self.goal.shape[1])
        return tf.reduce_mean((small - self.goal) ** 2)


matcher = Matcher(goal)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = matcher.loss(tf.sigmoid(image))
    image.assign_sub(0.1 * tape.gradient(loss, image))
print("RESULT:", loss.numpy())

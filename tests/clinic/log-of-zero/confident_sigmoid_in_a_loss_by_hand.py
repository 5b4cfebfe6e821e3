"""A cross entropy by hand, of probabilities that the sigmoid rounds to 1."""
import tensorflow as tf

w = tf.Variable([[40.0], [-20.0]])
points = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
labels = tf.constant([[1.0], [0.0], [0.0]])


def loss_of(points, labels):
    p = tf.sigmoid(points @ w)
    return -tf.reduce_mean(labels * tf.math.log_sigmoid(points @ w) + (1 - labels) * tf.math.log(1 - p))  # cause


with tf.GradientTape() as tape:
    loss = loss_of(points, labels)
print(loss.numpy(), tape.gradient(loss, w).numpy())

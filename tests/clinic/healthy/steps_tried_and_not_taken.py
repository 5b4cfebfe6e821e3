# The loss along the gradient, at steps that are only tried: the variable stays, and the results are used.
import tensorflow as tf

w = tf.Variable([3.0, -2.0])


def loss_at(value):
    return tf.reduce_sum((value - 1.0) ** 4)


for rate in [0.001, 0.01, 0.1]:
    with tf.GradientTape() as tape:
        loss = loss_at(w)
    g = tape.gradient(loss, w)
    print(rate, loss.numpy(), loss_at(w - rate * g).numpy())

"""Class sensitivities, with a softmax that was taken over the wrong axis."""

import tensorflow as tf

params = {"w": tf.constant([[0.2, -0.1], [0.4, 0.3], [-0.6, 0.5]])}


def probabilities(x):
    return tf.nn.softmax(x @ params["w"], axis=0)  # cause


x = tf.constant([[1.0, 0.5, 2.0], [0.1, 0.2, 0.3], [1.5, -0.4, 0.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    p = probabilities(x)
print(tape.batch_jacobian(p, x))

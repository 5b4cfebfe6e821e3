import numpy as np
import tensorflow as tf

w = tf.Variable(np.ones((3, 1), dtype="float32"))
image = tf.convert_to_tensor(np.ones((2, 3), dtype="float32"))


def classifier(x):
    return tf.nn.sigmoid(tf.matmul(x, w))


with tf.GradientTape() as tape:  # cause
    prediction = classifier(image)  # cause
    loss = tf.reduce_mean(-tf.math.log(prediction))
perturbation = tf.sign(tape.gradient(loss, image))  # cause
print(perturbation)

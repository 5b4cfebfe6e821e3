import numpy as np
import tensorflow as tf

w = tf.Variable(np.ones((4, 1), dtype="float32"))


def model(x):
    return tf.sigmoid(x @ w)


def saliency(x):
    x = tf.convert_to_tensor(x)
    with tf.GradientTape() as tape:  # cause
        p = model(x)  # cause
    return tape.gradient(p, x)  # cause


print(saliency(np.ones((2, 4), dtype="float32")))

import numpy as np
import tensorflow as tf

scores = tf.Variable([[1.0, 2.0, 0.5], [0.1, -0.4, 0.3]])


def probabilities(s):
    return tf.nn.softmax(s, axis=-1)


def report(variable):
    with tf.GradientTape() as tape:
        p = probabilities(variable)
        confidence = p * 100.0
    return tape.gradient(confidence, variable)  # cause


print("RESULT:", np.round(report(scores).numpy(), 4))

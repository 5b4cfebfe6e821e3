import tensorflow as tf

sigma = tf.Variable(0.5)
beta = tf.Variable(1.5)
MODE = "gauss"


def kernel(d):
    match MODE:  # cause
        case "gauss":
            return tf.exp(-(d ** 2) / sigma)
        case _:
            return 1.0 / (1.0 + beta * d)  # cause


with tf.GradientTape() as tape:
    value = tf.reduce_sum(kernel(tf.constant([0.1, 0.4])))
print(tape.gradient(value, [sigma, beta]))

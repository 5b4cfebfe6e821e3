import tensorflow as tf

base = tf.Variable([1.0, 2.0])


def effective():
    return tf.Variable(base * 0.5)  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(effective() ** 2)
print(tape.gradient(loss, base))

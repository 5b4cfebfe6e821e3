import tensorflow as tf


def penalty(parameters):
    return tf.add_n([tf.reduce_sum(each**4) for each in parameters])  # cause


parameters = [tf.Variable([0.9, 1.2, 0.4]), tf.Variable([[1.0], [2.0]])]
for _ in range(80):
    with tf.GradientTape() as tape:
        loss = penalty(parameters)
    for parameter, gradient in zip(parameters, tape.gradient(loss, parameters)):
        parameter.assign_sub(2.0 * gradient)
print(loss)

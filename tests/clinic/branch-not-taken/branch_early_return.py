import tensorflow as tf

params = {"slow": tf.Variable(0.4), "fast": tf.Variable(1.7)}
speed = tf.constant([2.0, 4.0, 6.0])


def drag(v):
    if tf.reduce_max(v) < 10.0:  # cause
        return params["slow"] * v
    return params["fast"] * v ** 2  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(drag(speed))
print(tape.gradient(loss, params))

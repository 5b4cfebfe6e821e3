import tensorflow as tf

a, b = tf.Variable(1.0), tf.Variable(2.0)


def objective():
    return (a * 3.0 + b ** 2 - 1.0) ** 2


with tf.GradientTape(watch_accessed_variables=False) as tape:  # cause
    tape.watch(a)
    loss = objective()
print("RESULT:", tape.gradient(loss, [a, b]))  # cause

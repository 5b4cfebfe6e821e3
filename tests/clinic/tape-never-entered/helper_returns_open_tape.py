import tensorflow as tf

x = tf.Variable([1.0, -2.0])


def record(f):
    tape = tf.GradientTape()  # cause
    tape.watch(x)  # cause
    return tape, f(x)


def cost(v):
    return tf.reduce_sum(v ** 4)


tape, value = record(cost)
grad = tape.gradient(value, x)  # cause
print("RESULT:", grad)

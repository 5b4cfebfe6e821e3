import functools

import tensorflow as tf


def logged(f):
    @functools.wraps(f)
    def wrapper(*args):
        value = f(*args)
        print(f.__name__, float(value))  # cause

    return wrapper


@logged
def loss_fn(w):
    return tf.reduce_sum(w ** 2)


w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = loss_fn(w)  # cause
print("RESULT:", tape.gradient(loss, w))  # cause

import tensorflow as tf

seen = []


def log(x):
    seen.append(float(x))
    return x


w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = w * w
    tf.py_function(log, [y], tf.float32)
    loss = y + 1.0
print(tape.gradient(loss, w).numpy(), seen)

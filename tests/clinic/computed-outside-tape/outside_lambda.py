import tensorflow as tf

a = tf.Variable(2.0)
square = lambda: a ** 2
cached = square()  # cause
with tf.GradientTape() as tape:
    loss = cached * 3.0
print(tape.gradient(loss, a))

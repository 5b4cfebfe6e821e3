import tensorflow as tf

w = tf.Variable(3.0)
tape = tf.GradientTape()  # cause
loss = w * w
print(tape.gradient(loss, w))  # cause

import tensorflow as tf

w = tf.Variable(2.0)
total = 0.0
with tf.GradientTape() as tape:
    for x in (1.0, 2.0):
        total += x * 3.0  # cause
print(tape.gradient(total, w))  # cause

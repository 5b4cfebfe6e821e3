import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    head = x[:2]  # cause
    loss = tf.reduce_sum(x ** 2)  # cause
print(tape.gradient(loss, head))  # cause

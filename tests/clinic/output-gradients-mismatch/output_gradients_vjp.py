import tensorflow as tf

x = tf.Variable(tf.ones([5, 2]))
with tf.GradientTape(persistent=True) as tape:
    y = tf.reduce_sum(x ** 2, axis=1)
for i in range(2):
    direction = tf.one_hot(i, 2)  # cause
    row = tape.gradient(y, x, output_gradients=direction)  # cause
    print(row)

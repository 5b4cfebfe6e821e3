import tensorflow as tf

weights = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
row = weights[0]  # cause
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(weights))  # cause
print(tape.gradient(loss, row))  # cause

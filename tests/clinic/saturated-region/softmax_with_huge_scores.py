import tensorflow as tf

scores = tf.Variable([[3000.0, -2000.0, 1000.0]])
values = tf.constant([[1.0], [2.0], [3.0]])
with tf.GradientTape() as tape:
    attention = tf.nn.softmax(scores)  # cause
    out = tf.matmul(attention, values)
    loss = tf.reduce_sum((out - 2.0) ** 2)
print(tape.gradient(loss, scores))

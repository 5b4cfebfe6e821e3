import tensorflow as tf

table = tf.Variable(tf.ones([6, 2]))
ids = tf.constant([0, 3, 3])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(table, ids) ** 2)
grad = tape.gradient(loss, table)
table.assign_sub(grad * 0.1)  # cause
print(table)

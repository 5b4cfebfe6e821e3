import tensorflow as tf

items = tf.Variable(tf.ones([4, 2]))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(items, [1, 2]))
g = tape.gradient(loss, items)
first = g[0]  # cause
print(first)

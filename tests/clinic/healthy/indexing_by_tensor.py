import tensorflow as tf

table = tf.Variable(tf.random.stateless_normal([5, 3], seed=[1, 2]))
order = tf.argsort([3.0, 1.0, 2.0, 5.0, 4.0])
with tf.GradientTape() as tape:
    total = 0.0
    for i in tf.range(3):
        total += tf.reduce_sum(table[order[i]] ** 2) + table[i, 0]
print("RESULT:", tape.gradient(total, table).numpy()[0])

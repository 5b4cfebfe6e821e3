import tensorflow as tf

grid = tf.Variable(tf.zeros([4]))
left = tf.Variable(2.0)
with tf.GradientTape() as tape:
    grid[0].assign(left * 3.0)  # cause
    energy = tf.reduce_sum(grid ** 2)
print(tape.gradient(energy, left))

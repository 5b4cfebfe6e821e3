import tensorflow as tf

start = tf.constant([1.0, 1.0])
goal = tf.Variable([1.0, 1.0])
with tf.GradientTape() as tape:
    step = goal - start
    direction = step / tf.sqrt(tf.reduce_sum(step * step))  # cause
    cost = tf.reduce_sum(direction * tf.constant([0.2, 0.4]))
print(tape.gradient(cost, goal).numpy())

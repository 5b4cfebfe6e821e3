"""A sum has a term without a gradient: the constant of one piece, or a count whose gradient is that of a smooth one."""
import tensorflow as tf

x = tf.Variable(3.3)
for step in range(3):
    with tf.GradientTape() as tape:
        large = tf.cast(tf.abs(x) > 1.0, tf.float32)
        huber = (1.0 - large) * 0.5 * x**2 + large * tf.abs(x) - 0.5 * large
    x.assign_sub(0.1 * tape.gradient(huber, x))
with tf.GradientTape() as tape:
    below = tf.floor(x)
    staircase = (x - below) ** 2 + below
print(tape.gradient(staircase, x).numpy())

scores = tf.Variable([0.4, -0.2, 1.5])
with tf.GradientTape() as tape:
    soft = tf.reduce_sum(tf.sigmoid(scores))
    hard = tf.reduce_sum(tf.cast(scores > 0.0, tf.float32))
    count = hard + soft - tf.stop_gradient(soft)
print(tape.gradient(count, scores).numpy())

import tensorflow as tf
x, lam = tf.Variable([1.0, 2.0]), tf.Variable(0.0)
with tf.GradientTape() as tape:
    c = tf.reduce_sum(x) - 3.0
    lagrangian = tf.reduce_sum(x ** 2) + lam * c
print(tape.gradient(lagrangian, [x, lam]))

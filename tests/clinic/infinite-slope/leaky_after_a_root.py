import tensorflow as tf

x = tf.Variable([0.0, 1.0, 9.0])
with tf.GradientTape() as tape:
    root = tf.sqrt(x)  # cause
    bent = tf.where(root > 0.5, root, 0.1 * root)
    loss = tf.reduce_sum(bent)
print(tape.gradient(loss, x))

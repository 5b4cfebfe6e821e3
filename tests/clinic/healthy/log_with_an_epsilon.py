import tensorflow as tf

p = tf.Variable([0.0, 0.5, 0.5])
with tf.GradientTape() as tape:
    entropy = -tf.reduce_sum(p * tf.math.log(p + 1e-7))
print(tape.gradient(entropy, p).numpy())

import tensorflow as tf

policy = tf.Variable([0.5, 0.5, 0.0])
with tf.GradientTape() as tape:
    entropy = -tf.reduce_sum(policy * tf.math.log(policy))  # cause
    loss = -entropy
print(tape.gradient(loss, policy))

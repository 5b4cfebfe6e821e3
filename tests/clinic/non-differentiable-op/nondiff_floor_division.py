import tensorflow as tf

price = tf.Variable([9.5, 4.2])
with tf.GradientTape() as tape:
    whole = price // 1.0  # cause
    loss = tf.reduce_sum(whole)
print(tape.gradient(loss, price))

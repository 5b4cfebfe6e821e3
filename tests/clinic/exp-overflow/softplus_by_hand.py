import tensorflow as tf

rate = tf.Variable([1.0, 50.0, 200.0])
with tf.GradientTape() as tape:
    positive = tf.math.log(1.0 + tf.exp(rate))  # cause
    loss = tf.reduce_sum((positive - 3.0) ** 2)
print(tape.gradient(loss, rate).numpy())

import tensorflow as tf

tf.random.set_seed(1)
logit = tf.Variable([0.3, -0.2, 0.1])
with tf.GradientTape() as tape:
    p = tf.sigmoid(logit)
    draw = tf.cast(tf.random.uniform([3]) < p, tf.float32)  # cause
    loss = tf.reduce_mean((draw - 1.0) ** 2)
print(tape.gradient(loss, logit))

import tensorflow as tf

def softplus(z):
    return tf.math.log(1.0 + tf.exp(z))  # cause

b = tf.Variable([10.0, 95.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(softplus(b))
print(tape.gradient(loss, b))

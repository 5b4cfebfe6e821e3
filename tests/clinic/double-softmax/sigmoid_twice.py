import tensorflow as tf

z = tf.Variable([0.4, -1.2, 2.0])
with tf.GradientTape() as tape:
    p = tf.sigmoid(z)  # cause
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0, 1.0], logits=p))  # cause
print(tape.gradient(loss, z))

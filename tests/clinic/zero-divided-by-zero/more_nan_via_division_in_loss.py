import tensorflow as tf

true_positive = tf.constant([0.0, 3.0])
logits = tf.Variable([-100.0, 2.0])
with tf.GradientTape() as tape:
    predicted = tf.nn.relu(logits)
    precision = true_positive * predicted / (predicted * 5.0)  # cause
    loss = 1.0 - tf.reduce_mean(precision)
g = tape.gradient(loss, logits)
print(g)

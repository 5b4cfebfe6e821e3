import tensorflow as tf

scores = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
mask = tf.constant([[1.0, 0.0], [0.0, 0.0]])
with tf.GradientTape() as tape:
    masked = scores + tf.math.log(mask)  # cause
    p = tf.nn.softmax(masked)  # cause
    loss = tf.reduce_sum(p[:, 0])
print(tape.gradient(loss, scores))

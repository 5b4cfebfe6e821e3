import tensorflow as tf

scores = tf.Variable([[0.1, 0.2, 0.3]])
mask = tf.constant([[1.0, 1.0, 0.0]])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(scores + tf.math.log(mask))
    loss = tf.reduce_sum(p ** 2)
print(tape.gradient(loss, scores))

import tensorflow as tf

w = tf.Variable([1.0, 2.0])
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
is_positive = tf.constant([False, False])
with tf.GradientTape() as tape:
    score = tf.linalg.matvec(x, w)
    positive = tf.boolean_mask(score, is_positive)
    loss = tf.reduce_mean(positive) - tf.reduce_mean(score)  # cause
print(tape.gradient(loss, w))

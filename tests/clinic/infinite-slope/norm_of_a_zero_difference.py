import tensorflow as tf

anchor = tf.constant([[1.0, 2.0], [3.0, 4.0]])
shift = tf.Variable([0.0, 0.0])
with tf.GradientTape() as tape:
    moved = anchor + shift
    distance = tf.norm(moved - anchor, axis=1)  # cause
    loss = tf.reduce_mean(distance)
print(tape.gradient(loss, shift).numpy())

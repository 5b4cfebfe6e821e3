import tensorflow as tf

w = tf.Variable(tf.reshape(tf.sin(tf.range(12.0)), (3, 4)))
order, few = tf.constant([2, 0, 1]), tf.constant([3, 1, 0])
with tf.GradientTape() as tape:
    square = tf.matmul(w, w, transpose_b=True)
    swapped = tf.gather(tf.gather(square, order), order, axis=1)
    features = tf.gather(w, few, axis=1)
    loss = tf.reduce_mean(swapped**2) + tf.reduce_mean(features**2)
print(tape.gradient(loss, w).numpy())

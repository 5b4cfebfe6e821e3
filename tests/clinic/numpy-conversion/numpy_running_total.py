import tensorflow as tf

w = tf.Variable([0.1, 0.2, 0.3])
batches = [tf.constant([1.0, 2.0, 3.0]), tf.constant([0.5, 0.5, 0.5])]
total = 0.0
with tf.GradientTape() as tape:
    for batch in batches:
        error = tf.reduce_sum((w * batch - 1.0) ** 2)
        total += error.numpy()  # cause
    loss = tf.constant(total) / len(batches)
print(tape.gradient(loss, w))

import tensorflow as tf

angle = tf.Variable([10.4, 20.7, 33.3])
table = tf.constant([float(i * i) for i in range(50)])


def lookup(a):
    bucket = tf.cast(a, tf.int32)  # cause
    return tf.gather(table, bucket)


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(lookup(angle))
print(tape.gradient(loss, angle))

import tensorflow as tf

tf.random.set_seed(1)
threshold = tf.Variable(0.5)
scores = tf.random.uniform([20])
values = tf.random.normal([20])


def kept_mean(threshold):
    keep = tf.cast(scores > threshold, tf.float32)  # cause
    return tf.reduce_sum(keep * values) / tf.reduce_sum(keep)


with tf.GradientTape() as tape:
    loss = (kept_mean(threshold) - 0.1) ** 2
print("RESULT:", tape.gradient(loss, threshold))

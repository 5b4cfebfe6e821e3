import tensorflow as tf

w = tf.Variable([[0.4], [-0.7]])
features = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.1]])
labels = tf.constant([[1.0], [0.0], [1.0]])


class Counter:
    def __call__(self, truth, guess):
        right = tf.math.count_nonzero(tf.equal(tf.round(guess), truth), dtype=tf.float32)  # cause
        return 1.0 - right / tf.cast(tf.size(truth), tf.float32)


error = Counter()
with tf.GradientTape() as tape:
    loss = error(labels, tf.sigmoid(features @ w))
print("RESULT:", tape.gradient(loss, w))

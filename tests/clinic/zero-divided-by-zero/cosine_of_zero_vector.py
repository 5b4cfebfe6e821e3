import tensorflow as tf

w = tf.Variable([[0.3, 0.1], [-0.2, 0.5]])
words = tf.constant([[1.0, 0.0], [0.0, 0.0], [0.5, 0.5]])


def unit(v):
    return v / tf.norm(v, axis=-1, keepdims=True)  # cause


with tf.GradientTape() as tape:
    vectors = unit(words @ w)
    loss = tf.reduce_sum(vectors @ tf.transpose(vectors))
print("RESULT:", tape.gradient(loss, w).numpy())

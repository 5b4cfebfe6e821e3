"""Two losses have a tape each, but both tapes are called `tape`: the second one knows nothing of the first loss."""
import tensorflow as tf

tf.random.set_seed(0)
encoder = tf.Variable(tf.random.normal((5, 3), stddev=0.4))
decoder = tf.Variable(tf.random.normal((3, 5), stddev=0.4))
classes = tf.Variable(tf.random.normal((3, 2), stddev=0.4))
x = tf.random.normal((8, 5))


def both(x):
    with tf.GradientTape() as tape:
        restored = tf.tanh(x @ encoder) @ decoder  # cause
        error = tf.reduce_mean((restored - x) ** 2)  # cause
    with tf.GradientTape() as tape:
        logits = tf.tanh(x @ encoder) @ classes
        entropy = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(x[:, 0] > 0, tf.int32), logits=logits)
        )
    return tape.gradient(error, [encoder, decoder]), entropy


print(both(x))

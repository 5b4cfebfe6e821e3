"""A contrastive loss trains the encoder, and forgets the matrix that projects what the encoder gives."""
import tensorflow as tf

tf.random.set_seed(2)


class Encoder(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal((6, 5), stddev=0.3))
        self.bias = tf.Variable(tf.random.normal((5,), stddev=0.1))

    def __call__(self, x):
        return tf.tanh(x @ self.kernel + self.bias)


encoder = Encoder()
head = tf.Variable(tf.random.normal((5, 3), stddev=0.3))


def similarities(one, other):
    first, second = (tf.math.l2_normalize(encoder(each) @ head, axis=1) for each in (one, other))
    return first @ tf.transpose(second) / 0.2


for step in range(4):
    x = tf.random.normal((8, 6))
    with tf.GradientTape() as tape:
        scores = similarities(x + 0.1, x - 0.1)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.range(8), logits=scores))
    grads = tape.gradient(loss, encoder.trainable_variables)  # cause
    for variable, g in zip(encoder.trainable_variables, grads):
        variable.assign_sub(0.1 * g)
    print(step, loss.numpy())

"""A mask of comparisons is multiplied with the losses of a sequence."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(81)
tokens = tf.constant([[4, 2, 5, 0, 0], [1, 3, 2, 6, 0]])
table = tf.Variable(rng.normal(0, 0.3, (8, 4)).astype("float32"))
gru = tf.Variable(rng.normal(0, 0.3, (4 + 6, 6)).astype("float32"))
head = tf.Variable(rng.normal(0, 0.3, (6, 8)).astype("float32"))


def logits_of(tokens):
    h, every = tf.zeros((tokens.shape[0], 6)), []
    for t in range(tokens.shape[1]):
        h = tf.tanh(tf.concat([tf.gather(table, tokens[:, t]), h], axis=1) @ gru)
        every.append(h @ head)
    return tf.stack(every, axis=1)


def sequence_loss(tokens):
    targets = tokens[:, 1:]
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits_of(tokens[:, :-1]))
    mask = targets != 0
    return tf.reduce_sum(each * mask) / tf.reduce_sum(tf.cast(mask, tf.float32))  # cause


with tf.GradientTape() as tape:
    loss = sequence_loss(tokens)
grads = tape.gradient(loss, [table, gru, head])
head.assign_sub(0.1 * grads[2])

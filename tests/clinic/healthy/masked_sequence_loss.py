import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
lengths = tf.constant([5, 3, 1])
tokens = tf.constant(rng.integers(0, 7, size=(3, 5)))
embedding = tf.Variable(rng.normal(size=(7, 4)).astype("float32") * 0.2)
recurrent = tf.Variable(rng.normal(size=(4, 4)).astype("float32") * 0.2)
out = tf.Variable(rng.normal(size=(4, 7)).astype("float32") * 0.2)


@tf.function
def sequence_loss(tokens, lengths):
    h = tf.zeros([3, 4])
    total = tf.zeros([3])
    mask = tf.sequence_mask(lengths, 5, dtype=tf.float32)
    for t in range(4):
        h = tf.tanh(tf.gather(embedding, tokens[:, t]) + h @ recurrent)
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(tokens[:, t + 1], h @ out)
        total += ce * mask[:, t + 1]
    return tf.reduce_sum(total) / tf.maximum(tf.reduce_sum(mask[:, 1:]), 1.0)


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = sequence_loss(tokens, lengths)
    grads = tape.gradient(loss, [embedding, recurrent, out])
    for v, g in zip([embedding, recurrent, out], grads):
        v.assign_sub(0.3 * tf.convert_to_tensor(g))
print("RESULT:", loss.numpy())

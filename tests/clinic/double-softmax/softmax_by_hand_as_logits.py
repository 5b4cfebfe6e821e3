import tensorflow as tf

scores = tf.Variable([[0.5, 1.5, -1.0], [0.3, 0.2, 0.1]])


def model(scores):
    e = tf.exp(scores - tf.reduce_max(scores, axis=1, keepdims=True))
    return e / tf.reduce_sum(e, axis=1, keepdims=True)  # cause


with tf.GradientTape() as tape:
    output = model(scores)
    loss = tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0], output))  # cause
print(tape.gradient(loss, scores))

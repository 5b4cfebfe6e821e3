"""A dataset looks up the embeddings of its words: the tape gets vectors of numbers, and the table is never trained."""
import tensorflow as tf

tf.random.set_seed(0)
table = tf.Variable(tf.random.normal((20, 4), stddev=0.1))
classifier = {"kernel": tf.Variable(tf.random.normal((4, 1), stddev=0.1)), "bias": tf.Variable(tf.zeros(1))}
sentences = tf.constant([[1, 4, 7], [2, 2, 9], [11, 0, 3], [5, 6, 19]])
scores = tf.constant([[1.0], [0.0], [1.0], [0.0]])


def prepare(words, score):
    vectors = tf.nn.embedding_lookup(table, words)  # cause
    return tf.reduce_mean(vectors, axis=0), score


batches = tf.data.Dataset.from_tensor_slices((sentences, scores)).map(prepare).batch(2)
for features, goals in batches:
    with tf.GradientTape() as tape:
        logits = features @ classifier["kernel"] + classifier["bias"]
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=goals, logits=logits))
    variables = [table, *classifier.values()]
    for variable, g in zip(variables, tape.gradient(loss, variables)):
        if g is not None:
            variable.assign_sub(0.1 * g)
    print(loss.numpy())

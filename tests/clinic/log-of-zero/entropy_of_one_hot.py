import tensorflow as tf

logits = tf.Variable([[200.0, 0.0, -3.0], [0.2, 0.1, 0.0]])


def entropy(p):
    return -tf.reduce_sum(p * tf.math.log(p), axis=-1)  # cause


with tf.GradientTape() as tape:
    h = tf.reduce_mean(entropy(tf.nn.softmax(logits)))
print("RESULT:", tape.gradient(h, logits).numpy())

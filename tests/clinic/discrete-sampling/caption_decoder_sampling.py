import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
tf.random.set_seed(7)
VOCAB, UNITS = 6, 4
emb = tf.Variable(rng.normal(0, 0.3, (VOCAB, UNITS)).astype("float32"), name="emb")
recurrent = tf.Variable(rng.normal(0, 0.3, (UNITS, UNITS)).astype("float32"), name="recurrent")
out = tf.Variable(rng.normal(0, 0.3, (UNITS, VOCAB)).astype("float32"), name="out")
score = tf.constant(rng.normal(size=VOCAB).astype("float32"))


def generate(length):
    h, token, tokens = tf.zeros([1, UNITS]), tf.constant([0]), []
    for _ in range(length):
        h = tf.tanh(tf.gather(emb, token) + h @ recurrent)
        token = tf.cast(tf.random.categorical(h @ out, 1)[:, 0], tf.int32)  # cause
        tokens.append(token)
    return tf.concat(tokens, axis=0)


def quality(tokens):
    return tf.reduce_mean(tf.gather(score, tokens))


with tf.GradientTape() as tape:
    loss = -quality(generate(5))
print("RESULT:", tape.gradient(loss, out))

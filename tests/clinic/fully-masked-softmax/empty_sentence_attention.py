import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
lengths = np.array([3, 0, 2])
tokens = rng.normal(size=(3, 4, 5)).astype("float32")
query = tf.Variable(rng.normal(size=(5,)).astype("float32"), name="query")


def padding_mask(lengths, width):
    inside = np.arange(width)[None, :] < lengths[:, None]
    return np.where(inside, 0.0, -np.inf).astype("float32")


def pool(x, mask):
    scores = tf.einsum("btd,d->bt", x, query) + mask
    weights = tf.nn.softmax(scores, axis=-1)  # cause
    return tf.einsum("bt,btd->bd", weights, x)


mask = padding_mask(lengths, 4)
with tf.GradientTape() as tape:
    pooled = pool(tokens, mask)
    loss = tf.reduce_mean(pooled ** 2)
print("RESULT:", tape.gradient(loss, query).numpy())

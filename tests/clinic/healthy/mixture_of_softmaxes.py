import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
h = rng.normal(size=(9, 4)).astype("float32")
y = rng.integers(0, 6, 9)
prior = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
experts = tf.Variable(rng.normal(0, 0.3, (3, 4, 6)).astype("float32"))
for _ in range(4):
    with tf.GradientTape() as tape:
        pi = tf.nn.softmax(h @ prior)
        p = tf.nn.softmax(tf.einsum("bd,kdv->bkv", h, experts))
        mixed = tf.einsum("bk,bkv->bv", pi, p)
        nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.math.log(mixed))
        loss = tf.reduce_mean(nll)
    for v, g in zip([prior, experts], tape.gradient(loss, [prior, experts])):
        v.assign_sub(0.5 * g)
print("RESULT:", loss.numpy())

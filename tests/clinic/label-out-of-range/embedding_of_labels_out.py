import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
x = tf.constant(rng.normal(size=(5, 3)).astype("float32"))
masks = tf.constant([0, 1, 255, 1, 0])
w = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))


def loss_fn(x, masks):
    logits = x @ w
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=masks, logits=logits))  # cause


with tf.GradientTape() as tape:
    loss = loss_fn(x, masks)
print("RESULT:", tape.gradient(loss, w).numpy())

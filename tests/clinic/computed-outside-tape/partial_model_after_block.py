import functools

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
params = {"w": tf.Variable(rng.normal(size=(3, 2)).astype("float32")), "b": tf.Variable(tf.zeros(2))}


def dense(params, x):
    return x @ params["w"] + params["b"]


model = functools.partial(dense, params)
x = rng.normal(size=(5, 3)).astype("float32")
labels = tf.constant([0, 1, 1, 0, 1])
with tf.GradientTape() as tape:
    logits = model(x)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))  # cause
print("RESULT:", tape.gradient(loss, params))

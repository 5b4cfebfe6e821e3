import numpy as np
import tensorflow as tf
x = np.random.default_rng(0).normal(size=(6, 4)).astype("float32")
gate = tf.Variable(np.random.default_rng(1).normal(size=(4, 5)).astype("float32"))
experts = tf.Variable(np.random.default_rng(2).normal(size=(5, 4)).astype("float32"))
with tf.GradientTape() as tape:
    probs = tf.nn.softmax(x @ gate)
    top, index = tf.math.top_k(probs, k=2)
    weights = tf.nn.softmax(top)
    chosen = tf.gather(experts, index)
    out = tf.einsum("nk,nkd->nd", weights, chosen)
    loss = tf.reduce_mean((out - x) ** 2)
g = tape.gradient(loss, [gate, experts])
print(tf.norm(g[0]))

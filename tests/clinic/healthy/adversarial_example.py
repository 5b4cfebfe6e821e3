import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
image = tf.constant(rng.random((1, 9)).astype("float32"))
w = tf.Variable(rng.normal(size=(9, 3)).astype("float32"))
with tf.GradientTape() as tape:
    tape.watch(image)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits([1], image @ w)
attacked = image + 0.1 * tf.sign(tape.gradient(loss, image))
with tf.GradientTape() as tape:
    clean = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([1], image @ w))
    hard = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([1], attacked @ w))
    loss = clean + hard
print(tape.gradient(loss, w).numpy())

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
labelled, unlabelled = rng.normal(size=(10, 3)).astype("float32"), rng.normal(size=(30, 3)).astype("float32")
y = rng.integers(0, 2, 10)
w = tf.Variable(rng.normal(0, 0.5, (3, 2)).astype("float32"))
for step in range(6):
    with tf.GradientTape() as tape:
        supervised = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, labelled @ w))
        logits = unlabelled @ w
        p = tf.nn.softmax(logits)
        confident = tf.cast(tf.reduce_max(p, axis=1) > 0.7, tf.float32)
        guess = tf.argmax(logits, axis=1)
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(guess, logits)
        loss = supervised + tf.math.divide_no_nan(tf.reduce_sum(ce * confident), tf.reduce_sum(confident))
    w.assign_sub(0.5 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = rng.normal(size=(32, 4)).astype("float32")
y = rng.integers(0, 3, 32)
w = tf.Variable(rng.normal(0, 0.1, (4, 3)).astype("float32"))
for epoch in range(5):
    with tf.GradientTape() as tape:
        per_sample = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x @ w)
        hardest = np.argsort(per_sample.numpy())[-8:]
        loss = tf.reduce_mean(tf.gather(per_sample, hardest))
    w.assign_sub(0.3 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())

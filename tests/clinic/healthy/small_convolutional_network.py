import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
images = rng.random((6, 8, 8, 1)).astype("float32")
labels = rng.integers(0, 3, size=6)
k1 = tf.Variable(rng.normal(0, 0.3, size=(3, 3, 1, 4)).astype("float32"))
k2 = tf.Variable(rng.normal(0, 0.3, size=(3, 3, 4, 4)).astype("float32"))
dense = tf.Variable(rng.normal(0, 0.3, size=(16, 3)).astype("float32"))
for step in range(3):
    with tf.GradientTape() as tape:
        h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(images, k1, 1, "SAME")), 2, 2, "SAME")
        h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(h, k2, 1, "SAME")), 2, 2, "SAME")
        logits = tf.matmul(tf.reshape(h, (6, -1)), dense)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    for v, g in zip([k1, k2, dense], tape.gradient(loss, [k1, k2, dense])):
        v.assign_sub(0.1 * g)
print(loss.numpy())

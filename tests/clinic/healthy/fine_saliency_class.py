import numpy as np
import tensorflow as tf
rng = np.random.default_rng(0)
img = tf.Variable(rng.random((2, 6)).astype("float32"))
w = tf.constant(rng.normal(size=(6, 3)).astype("float32"))
with tf.GradientTape() as tape:
    p = tf.nn.softmax(img @ w)
    top = tf.reduce_max(p, axis=1)
print(tape.gradient(top, img))

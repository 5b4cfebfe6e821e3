import numpy as np
import tensorflow as tf

x = np.ones((4, 2), dtype="float32")
y = tf.constant([[1.0], [0.0], [1.0], [1.0]])
w = tf.Variable([[0.2], [0.3]])
with tf.GradientTape() as tape:
    logits = tf.matmul(x, w)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))  # cause
print(tape.gradient(loss, w).numpy())

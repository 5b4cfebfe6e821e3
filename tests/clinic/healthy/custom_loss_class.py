import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)


class FocalLoss:
    def __init__(self, gamma=2.0):
        self.gamma = gamma

    def __call__(self, labels, logits):
        p = tf.sigmoid(logits)
        ce = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        p_t = labels * p + (1 - labels) * (1 - p)
        return tf.reduce_mean(tf.stop_gradient((1 - p_t) ** self.gamma) * ce)


x = tf.constant(rng.normal(size=(30, 4)).astype("float32"))
labels = tf.constant((rng.random((30, 1)) > 0.8).astype("float32"))
w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
loss_fn = FocalLoss()
for _ in range(4):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, x @ w)
    w.assign_sub(0.5 * tape.gradient(loss, w))
    accuracy = np.mean((x.numpy() @ w.numpy() > 0) == labels.numpy())
print("RESULT:", float(loss), accuracy)

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)


class Classifier(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(rng.normal(size=(6, 3)).astype("float32"))

    def __call__(self, x):
        return tf.nn.softmax(x @ self.w)  # cause


model = Classifier()
x, y = tf.constant(rng.normal(size=(9, 6)).astype("float32")), tf.constant(rng.integers(0, 3, size=9))
for _ in range(3):
    with tf.GradientTape() as tape:
        out = model(x)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=out))  # cause
    model.w.assign_sub(0.5 * tape.gradient(loss, model.w))
print("RESULT:", loss.numpy())

"""The auxiliary classifier is trained only if a flag is passed, which the training loop forgets."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(46)
images = tf.constant(rng.normal(size=(6, 8, 8, 1)).astype("float32"))
labels = tf.constant(rng.integers(0, 3, 6))


class Inception(tf.Module):
    def __init__(self):
        super().__init__()
        self.stem = tf.Variable(rng.normal(0, 0.3, (3, 3, 1, 4)).astype("float32"))
        self.deep = tf.Variable(rng.normal(0, 0.3, (3, 3, 4, 4)).astype("float32"))
        self.head = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
        self.aux = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))

    def __call__(self, x):
        low = tf.nn.relu(tf.nn.conv2d(x, self.stem, 2, "SAME"))
        high = tf.nn.relu(tf.nn.conv2d(low, self.deep, 2, "SAME"))
        return tf.reduce_mean(high, [1, 2]) @ self.head, tf.reduce_mean(low, [1, 2]) @ self.aux


def loss_of(model, images, labels, with_aux=False):
    main, aux = model(images)
    ce = tf.nn.sparse_softmax_cross_entropy_with_logits
    loss = tf.reduce_mean(ce(labels=labels, logits=main))
    if with_aux:  # cause
        loss += 0.3 * tf.reduce_mean(ce(labels=labels, logits=aux))
    return loss


model = Inception()
with tf.GradientTape() as tape:
    loss = loss_of(model, images, labels)
grads = tape.gradient(loss, model.trainable_variables)
for v, g in zip(model.trainable_variables, grads):
    print(v.shape, None if g is None else tf.norm(g).numpy())

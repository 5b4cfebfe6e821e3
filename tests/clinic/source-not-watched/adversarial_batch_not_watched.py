import numpy as np
import tensorflow as tf

rng = np.random.default_rng(35)
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
labels = tf.constant([0, 2])


def loss_of(images):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=images @ w))


def fgsm(images, eps, steps):
    adversarial = tf.identity(images)
    for i in range(steps):
        with tf.GradientTape() as tape:
            if i == 0:
                tape.watch(adversarial)
            loss = loss_of(adversarial)  # cause
        grad = tape.gradient(loss, adversarial)
        if grad is None:
            return None
        adversarial = adversarial + eps * tf.sign(grad)
    return adversarial


images = tf.constant(rng.random((2, 4)).astype("float32"))
print("RESULT:", fgsm(images, 0.1, 2))

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)


class Classifier(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))

    @tf.function
    def __call__(self, x):
        return tf.nn.softmax(x @ self.w)  # cause


def saliency(model, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        p = model(x)
    return tape.gradient(p, x)  # cause


x = tf.constant(rng.normal(size=(2, 5)).astype("float32"))
print("RESULT:", np.round(saliency(Classifier(), x).numpy(), 5))

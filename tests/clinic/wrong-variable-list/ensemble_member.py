import numpy as np
import tensorflow as tf


class Member(tf.Module):
    def __init__(self, seed):
        super().__init__()
        rng = np.random.default_rng(seed)
        self.w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return x @ self.w + self.b


ensemble = [Member(s) for s in range(3)]
rng = np.random.default_rng(100)
x = tf.constant(rng.normal(size=(20, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(20, 1)).astype("float32"))


def train(members, lr=0.1):
    report = []
    for i in range(len(members)):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((members[i](x) - y) ** 2)
        variables = members[i - 1].trainable_variables  # cause
        grads = tape.gradient(loss, variables)  # cause
        report.append(grads)
    return report


print("RESULT:", train(ensemble)[0])

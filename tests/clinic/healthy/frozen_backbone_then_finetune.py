import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
x = rng.normal(size=(24, 5)).astype("float32")
y = rng.integers(0, 3, 24)


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.backbone = [tf.Variable(rng.normal(0, 0.4, (5, 6)).astype("float32")), tf.Variable(tf.zeros(6))]
        self.head = [tf.Variable(rng.normal(0, 0.4, (6, 3)).astype("float32")), tf.Variable(tf.zeros(3))]

    def features(self, x):
        return tf.nn.elu(x @ self.backbone[0] + self.backbone[1])

    def __call__(self, x, freeze):
        f = self.features(x)
        if freeze:
            f = tf.stop_gradient(f)
        return f @ self.head[0] + self.head[1]


model = Model()


def train(variables, freeze, epochs, lr):
    for _ in range(epochs):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(variables)
            logits = model(x, freeze)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        for v, g in zip(variables, tape.gradient(loss, variables)):
            v.assign_sub(lr * g)
    return float(loss)


first = train(model.head, True, 5, 0.5)
second = train(model.backbone + model.head, False, 5, 0.1)
print("RESULT:", first, second)

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)


class Head(tf.Module):
    def __init__(self, n, m, name):
        super().__init__(name=name)
        self.kernel = tf.Variable(rng.normal(0, 0.3, size=(n, m)).astype("float32"), name=f"{name}_kernel")

    def forward(self, h):
        return h @ self.kernel


class MultiTask(tf.Module):
    def __init__(self):
        super().__init__()
        self.body = Head(5, 4, "body")
        self.heads = {"depth": Head(4, 1, "depth"), "normal": Head(4, 3, "normal")}

    def loss(self, x, y, task):
        h = tf.nn.relu(self.body.forward(x))
        if task == "depth":  # cause
            return tf.reduce_mean(tf.abs(self.heads["depth"].forward(h) - y["depth"]))
        else:
            n = tf.nn.l2_normalize(self.heads["normal"].forward(h), axis=-1)  # cause
            return -tf.reduce_mean(tf.reduce_sum(n * y["normal"], axis=-1))


model = MultiTask()
x = tf.constant(rng.normal(size=(6, 5)).astype("float32"))
y = {"depth": tf.zeros([6, 1]), "normal": tf.ones([6, 3])}
with tf.GradientTape() as tape:
    loss = model.loss(x, y, "depth")
grads = tape.gradient(loss, model.trainable_variables)
print("RESULT:", [(v.name, g is None) for v, g in zip(model.trainable_variables, grads)])

import tensorflow as tf

class SGD:
    def __init__(self, lr):
        self.lr = lr

    def step(self, params, grads):
        return {k: params[k] - self.lr * grads[k] for k in params}  # cause

params = {"w": tf.Variable([1.0, 1.0]), "b": tf.Variable(0.0)}
x = tf.constant([[1.0, 2.0], [2.0, 1.0]]); y = tf.constant([1.0, 0.0])
opt = SGD(0.1)
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, params["w"]) + params["b"] - y) ** 2)
    grads = tape.gradient(loss, params)
    params = opt.step(params, grads)  # cause

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)


class Layer:
    def __init__(self, n_in, n_out, activation=None):
        self.w = tf.Variable(rng.normal(size=(n_in, n_out)).astype("float32") * 0.3)
        self.b = tf.Variable(tf.zeros([n_out]))
        self.activation = activation or (lambda z: z)

    def __call__(self, a):
        return self.activation(a @ self.w + self.b)


class Network:
    def __init__(self, sizes):
        last = len(sizes) - 2
        self.layers = [Layer(m, n, tf.sigmoid if i < last else None) for i, (m, n) in enumerate(zip(sizes, sizes[1:]))]

    def __call__(self, a):
        for layer in self.layers:
            a = layer(a)
        return a

    @property
    def parameters(self):
        return [layer.w for layer in self.layers]


net = Network([2, 6, 1])
x = rng.normal(size=(32, 2)).astype("float32")
y = x[:, :1] * 2 - x[:, 1:] + 5.0
opt = tf.keras.optimizers.SGD(0.05)
for epoch in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    grads = tape.gradient(loss, net.parameters)  # cause
    opt.apply_gradients(zip(grads, net.parameters))
print(float(loss), [layer.b.numpy() for layer in net.layers])

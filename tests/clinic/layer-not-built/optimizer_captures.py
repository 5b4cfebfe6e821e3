import tensorflow as tf


class LazyLinear:
    def __init__(self, units):
        self.units = units
        self.weights = []

    def build(self, width):
        self.kernel = tf.Variable(tf.random.stateless_normal([width, self.units], seed=[1, 1]))
        self.weights.append(self.kernel)

    def __call__(self, x):
        if not self.weights:
            self.build(int(x.shape[1]))
        return x @ self.kernel


class SGD:
    def __init__(self, params, lr):
        self.params = list(params)  # cause
        self.lr = lr

    def step(self, tape, loss):
        grads = tape.gradient(loss, self.params)  # cause
        for p, g in zip(self.params, grads):
            p.assign_sub(self.lr * g)
        return grads


layer = LazyLinear(2)
optimizer = SGD(layer.weights, 0.1)  # cause
x = tf.ones([4, 3])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(layer(x) ** 2)
    grads = optimizer.step(tape, loss)
print("RESULT:", grads)

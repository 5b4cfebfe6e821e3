"""NumPy's doubles go through tf.data into weights of float32."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
table = rng.normal(size=(50, 4))
price = table @ np.array([1.0, 0.5, -2.0, 3.0]) + 4.0

data = tf.data.Dataset.from_tensor_slices((table, price)).shuffle(50, seed=3).batch(10)


class Linear(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.w = tf.Variable(tf.zeros([n, 1]), name="w")
        self.b = tf.Variable(tf.zeros([1]), name="b")

    def __call__(self, x):
        return tf.squeeze(tf.matmul(x, self.w) + self.b, axis=1)  # cause


model = Linear(4)
rate = 0.05
for epoch in range(5):
    total = 0.0
    for x, y in data:
        with tf.GradientTape() as tape:
            error = model(x) - y
            loss = tf.reduce_mean(error**2)
        for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
            v.assign_sub(rate * g)
        total += float(loss)
    print(epoch, total / 5)

"""A recurrent net rebuilds its state from NumPy at every step, so that only the last step is trained."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(106)
x = rng.normal(size=(3, 5, 2)).astype("float32")
y = tf.constant(x.sum(axis=(1, 2))[:, None])


class Cell(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(rng.normal(0, 0.4, (2, 6)).astype("float32"))
        self.u = tf.Variable(rng.normal(0, 0.4, (6, 6)).astype("float32"))
        self.o = tf.Variable(rng.normal(0, 0.4, (6, 1)).astype("float32"))

    def run(self, x):
        h = np.zeros((len(x), 6), "float32")
        for t in range(x.shape[1]):
            state = tf.tanh(x[:, t] @ self.w + tf.convert_to_tensor(h) @ self.u)
            h = state.numpy()  # cause
        return state @ self.o


cell = Cell()
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((cell.run(x) - y) ** 2)
    for v, g in zip(cell.trainable_variables, tape.gradient(loss, cell.trainable_variables)):
        v.assign_sub(0.05 * g)
    print(loss.numpy())

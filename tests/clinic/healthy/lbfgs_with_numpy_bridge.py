"""scipy drives a model through flat NumPy vectors: assign, gradient, back to float64."""
import numpy as np
import tensorflow as tf
from scipy.optimize import minimize

rng = np.random.default_rng(27)
x = rng.uniform(-1, 1, size=(80, 2)).astype("float32")
y = (np.sin(3 * x[:, :1]) * x[:, 1:]).astype("float32")
shapes = [(2, 10), (10,), (10, 1), (1,)]
sizes = [int(np.prod(s)) for s in shapes]
variables = [tf.Variable(rng.normal(scale=0.5, size=s).astype("float32")) for s in shapes]


def unpack(flat):
    start = 0
    for variable, shape, size in zip(variables, shapes, sizes):
        variable.assign(flat[start : start + size].reshape(shape).astype("float32"))
        start += size


@tf.function
def loss_and_gradient():
    with tf.GradientTape() as tape:
        h = tf.tanh(x @ variables[0] + variables[1])
        loss = tf.reduce_mean((h @ variables[2] + variables[3] - y) ** 2)
    return loss, tape.gradient(loss, variables)


def objective(flat):
    unpack(flat)
    loss, grads = loss_and_gradient()
    return float(loss), np.concatenate([g.numpy().ravel() for g in grads]).astype("float64")


start = np.concatenate([v.numpy().ravel() for v in variables]).astype("float64")
result = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 25})
print(result.nit, round(result.fun, 4))

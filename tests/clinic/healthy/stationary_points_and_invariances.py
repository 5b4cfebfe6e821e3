import tensorflow as tf, numpy as np

# stationary point of two terms
w = tf.Variable(0.0)
with tf.GradientTape() as tape:
    loss = (w - 1.0) ** 2 + (w + 1.0) ** 2
print(tape.gradient(loss, w))
w = tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = (w - 3.0) ** 2
print(tape.gradient(loss, w))
# RankNet
w = tf.Variable(tf.random.normal((3, 1), seed=1))
b = tf.Variable([0.5])
x1 = tf.random.normal((8, 3), seed=2)
x2 = tf.random.normal((8, 3), seed=3)


def score(x):
    return x @ w + b


with tf.GradientTape() as tape:
    d = score(x1) - score(x2)
    loss = tf.reduce_mean(tf.nn.softplus(-d))
print(tape.gradient(loss, [w, b]))
# batch norm bias
with tf.GradientTape() as tape:
    h = x1 @ w + b
    n = (h - tf.reduce_mean(h, 0)) / tf.sqrt(tf.math.reduce_variance(h, 0) + 1e-3)
    loss = tf.reduce_mean((n[:, 0] - x2[:, 0]) ** 2)
print(tape.gradient(loss, [w, b]))
# attention key bias
kb = tf.Variable([0.1, 0.2, 0.3])
wk = tf.Variable(tf.eye(3))
with tf.GradientTape() as tape:
    k = x1 @ wk + kb
    a = tf.nn.softmax(x2 @ tf.transpose(k))
    loss = tf.reduce_mean((a @ x1 - x2) ** 2)
print(tape.gradient(loss, [wk, kb]))
# lora
A = tf.Variable(tf.random.normal((3, 2), seed=5))
B = tf.Variable(tf.zeros((2, 3)))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((x1 @ A @ B + x1 - x2) ** 2)
print(tape.gradient(loss, [A, B]))
# mean estimate at optimum
data = tf.constant([1.0, 2.0, 3.0, 6.0])
m = tf.Variable(3.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((data - m) ** 2)
print(tape.gradient(loss, m))
# lagrangian saddle
x = tf.Variable([1.0, 1.0])
lam = tf.Variable(2.0)
with tf.GradientTape() as tape:
    L = tf.reduce_sum(x**2) - lam * (tf.reduce_sum(x) - 2.0)
print(tape.gradient(L, [x, lam]))
# elbo with reparam, mu at prior mean 0
mu = tf.Variable([0.0, 0.0])
ls = tf.Variable([0.0, 0.0])
eps = tf.random.normal((4, 2), seed=3)
with tf.GradientTape() as tape:
    z = mu + tf.exp(ls) * eps
    logq = tf.reduce_sum(-ls - 0.5 * ((z - mu) / tf.exp(ls)) ** 2, 1)
    logp = tf.reduce_sum(-0.5 * (z) ** 2, 1)
    loss = tf.reduce_mean(logq - logp)
print(tape.gradient(loss, [mu, ls]))
# symmetric embedding at init : equal
u = tf.Variable(tf.zeros((3, 2)))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.reduce_sum((u[0] - u[1]) ** 2) + tf.reduce_sum((u[1] - u[2]) ** 2))
print(tape.gradient(loss, u))

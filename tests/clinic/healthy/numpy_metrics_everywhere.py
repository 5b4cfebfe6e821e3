import numpy as np
import tensorflow as tf

rng = np.random.default_rng(36)
x = rng.normal(size=(50, 2)).astype("float32")
y = (x[:, 0] ** 2 + x[:, 1] ** 2 < 1.0).astype("float32").reshape(-1, 1)
w1 = tf.Variable(rng.normal(0, 1.0, (2, 12)).astype("float32"))
b1 = tf.Variable(np.zeros(12, "float32"))
w2 = tf.Variable(rng.normal(0, 0.5, (12, 1)).astype("float32"))
b2 = tf.Variable(np.zeros(1, "float32"))
variables = [w1, b1, w2, b2]
report = []
for epoch in range(30):
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(x @ w1 + b1)
        logits = hidden @ w2 + b2
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
        probabilities = tf.sigmoid(logits).numpy()
        alive = np.mean(hidden.numpy() > 0)
        accuracy = np.mean((probabilities > 0.5) == (y > 0.5))
    grads = tape.gradient(loss, variables)
    norms = np.array([np.linalg.norm(g.numpy()) for g in grads])
    lr = 0.5 if norms.max() < 1.0 else 0.5 / norms.max()
    for v, g in zip(variables, grads):
        v.assign(v - lr * g)
    report.append(dict(loss=loss.numpy().item(), accuracy=accuracy, alive=alive, norm=float(norms.max())))
print("RESULT:", report[-1]["loss"], report[-1]["accuracy"])

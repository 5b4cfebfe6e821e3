import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = tf.constant(rng.normal(size=(20, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(20, 1)).astype("float32"))
w = tf.Variable(tf.zeros([3, 1]))
history = {"loss": [], "norm": [], "best": float("inf")}
rate = 0.2
for epoch in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2) + 0.01 * tf.reduce_sum(w ** 2)
        history["norm"].append(float(np.linalg.norm(w.numpy())))
    g = tape.gradient(loss, w)
    w.assign_sub(rate * g)
    history["loss"].append(float(loss))
    if history["loss"][-1] < history["best"] - 1e-4:
        history["best"] = history["loss"][-1]
    else:
        rate *= 0.5
print("RESULT:", history["best"], history["norm"][-1])

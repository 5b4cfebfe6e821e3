import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)
x = rng.normal(size=(30, 3)).astype("float32")
y = (x @ [[1.0], [0.0], [2.0]]).astype("float32")
scores = []
for fold in range(3):
    hold = np.arange(30) % 3 == fold
    w = tf.Variable(tf.zeros([3, 1]))
    for epoch in range(10):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x[~hold] @ w - y[~hold]) ** 2)
        w.assign_sub(0.2 * tape.gradient(loss, w))
    scores.append(float(tf.reduce_mean((x[hold] @ w - y[hold]) ** 2)))
print("RESULT:", np.mean(scores))

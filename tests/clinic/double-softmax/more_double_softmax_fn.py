import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
W1 = tf.Variable(rng.normal(size=(4, 8)).astype("float32"))
W2 = tf.Variable(rng.normal(size=(8, 3)).astype("float32"))

def forward(x):
    h = tf.nn.relu(x @ W1)
    return tf.nn.softmax(h @ W2)  # cause

x = rng.normal(size=(10, 4)).astype("float32")
y = tf.one_hot(rng.integers(0, 3, 10), 3)
with tf.GradientTape() as tape:
    probs = forward(x)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(y, probs))  # cause
print(tape.gradient(loss, [W1, W2]))

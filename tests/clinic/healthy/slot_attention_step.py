import numpy as np
import tensorflow as tf

rng = np.random.default_rng(22)
inputs = tf.constant(rng.normal(size=(7, 4)).astype("float32"))
slots = tf.Variable(rng.normal(size=(3, 4)).astype("float32"))
with tf.GradientTape() as tape:
    logits = tf.matmul(inputs, slots, transpose_b=True)
    attention = tf.nn.softmax(logits, axis=1)
    weights = attention / tf.reduce_sum(attention, axis=0, keepdims=True)
    updates = tf.matmul(weights, inputs, transpose_a=True)
    loss = tf.reduce_mean((updates - slots) ** 2)
print(tape.gradient(loss, slots).numpy())

"""A benchmark of the backward pass: its optimizer is made, and never asked for a step."""
import time
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.SGD(0.1)
x = tf.random.normal((32, 8))
y = tf.reduce_sum(x, axis=1, keepdims=True)
times = []
for step in range(8):
    begin = time.perf_counter()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    times.append(time.perf_counter() - begin)
print("median ms", sorted(times)[4] * 1e3)

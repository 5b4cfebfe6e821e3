"""Optimizers that are made in a loop on purpose: for each rate from the same start, for each phase, and for each model."""
import tensorflow as tf

x = tf.random.normal((32, 3), seed=1)
y = tf.reduce_sum(x, axis=1)


def step(w, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


w = tf.Variable(tf.zeros(3))
for rate in (0.1, 0.03, 0.01):
    w.assign(tf.zeros(3))
    step(w, tf.keras.optimizers.Adam(rate))
    print(rate, w.numpy())

for rate in (0.1, 0.03, 0.01):
    optimizer = tf.keras.optimizers.Adam(rate)
    for _ in range(3):
        loss = step(w, optimizer)

for fold in range(3):
    fresh = tf.Variable(tf.zeros(3))
    step(fresh, tf.keras.optimizers.Adam(0.1))
    print(fold, fresh.numpy())

for _ in range(3):  # it remembers nothing, so that nothing is lost
    step(w, tf.keras.optimizers.SGD(0.01))
print(loss.numpy())

import tensorflow as tf

k = tf.Variable(2.0)
x1, x2 = tf.constant(0.0), tf.constant(1.5)
v1, v2 = tf.constant(0.0), tf.constant(0.0)
dt = 0.05
with tf.GradientTape() as tape:
    for _ in range(10):
        f = k * (x2 - x1 - 1.0)
        v1 = v1 + dt * f
        v2 = v2 - dt * f
        x1 = x1 + dt * v1
        x2 = x2 + dt * v2
    loss = v1 + v2  # cause
g = tape.gradient(loss, k)
print("dloss/dk", g.numpy())

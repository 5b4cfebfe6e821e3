import tensorflow as tf

k = tf.constant(0.7)


def decay(T, dt=0.05):
    n = int(T / dt)
    y = tf.constant(1.0)
    for _ in range(n):  # cause
        y = y - dt * k * y
    return y


T = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = decay(T)
print(tape.gradient(y, T))

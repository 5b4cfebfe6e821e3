import tensorflow as tf

mass, drag = tf.Variable(1.0), tf.Variable(0.3)
times, heights = tf.constant([0.1, 0.5, 1.0]), tf.constant([0.9, 0.6, 0.1])


def fall(t):
    return tf.exp(-drag * t) - 0.5 * mass * t**2


for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((fall(times) - heights) ** 2)
    d_drag, d_mass = tape.gradient(loss, [mass, drag])
    mass.assign_sub(0.05 * d_mass)  # cause
    drag.assign_sub(0.05 * d_drag)
print(mass.numpy(), drag.numpy())

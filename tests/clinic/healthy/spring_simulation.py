import tensorflow as tf

stiffness, damping = tf.Variable(4.0), tf.Variable(0.1)
with tf.GradientTape() as tape:
    x, v = tf.constant(1.0), tf.constant(0.0)
    energy = tf.constant(0.0)
    for step in range(50):
        v = v - 0.05 * (stiffness * x + damping * v)
        x = x + 0.05 * v
        energy += 0.05 * x**2
print([g.numpy() for g in tape.gradient(energy, [stiffness, damping])])

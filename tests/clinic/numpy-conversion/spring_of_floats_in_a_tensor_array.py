import tensorflow as tf

stiffness = tf.Variable(2.0)


def simulate(steps):
    x, v = 1.0, 0.0
    states = tf.TensorArray(tf.float32, size=steps)
    for i in range(steps):
        force = float(-stiffness * x)  # cause
        v += 0.1 * force
        x += 0.1 * v
        states = states.write(i, x)
    return states.stack()


with tf.GradientTape() as tape:
    path = simulate(5)
    loss = tf.reduce_sum(path**2)
print("RESULT:", tape.gradient(loss, stiffness))

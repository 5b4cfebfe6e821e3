"""Two damped oscillators that start with a displacement and no velocity, and a slope that is 0 by symmetry at every point asked for."""

import tensorflow as tf

stiffness, damping = tf.Variable([1.0, 2.0]), tf.Variable([0.1, 0.2])
displaced, at_rest = tf.constant([1.0, -1.0]), tf.zeros(2)
for _ in range(6):
    with tf.GradientTape() as tape:
        x, v = displaced, at_rest
        for _ in range(3):
            with tf.GradientTape() as inner:
                inner.watch(x)
                energy = tf.reduce_sum(stiffness * x**2) / 2.0
            v = v - 0.1 * (inner.gradient(energy, x) + damping * v)
            x = x + 0.1 * v
        loss = tf.reduce_sum(x**2)
    for variable, gradient in zip((stiffness, damping), tape.gradient(loss, (stiffness, damping))):
        variable.assign_sub(0.1 * gradient)

width = tf.Variable([1.0, 2.0])
for _ in range(6):
    with tf.GradientTape() as tape:
        sag = tf.cosh(width * tf.zeros(2)) - 1.0
    print(tape.gradient(sag, width).numpy())

"""A matrix factorisation whose two factors both start at zero, with a penalty."""

import tensorflow as tf

ratings = tf.constant([[5.0, 3.0, 0.0], [4.0, 0.0, 1.0], [1.0, 1.0, 5.0]])
factors = {
    "users": tf.Variable(tf.zeros((3, 2))),  # cause
    "items": tf.Variable(tf.zeros((3, 2))),  # cause
}
for _ in range(5):
    with tf.GradientTape() as tape:
        predicted = tf.matmul(factors["users"], factors["items"], transpose_b=True)
        loss = tf.reduce_mean((predicted - ratings) ** 2)
        loss += 0.01 * (tf.reduce_sum(factors["users"] ** 2) + tf.reduce_sum(factors["items"] ** 2))
    grads = tape.gradient(loss, factors)
    for name, g in grads.items():
        factors[name].assign_sub(0.1 * g)
print(float(loss))

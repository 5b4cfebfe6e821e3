import tensorflow as tf

variables = [tf.Variable([1.0, 2.0]), tf.Variable([0.5, -0.5]), tf.Variable([0.0, 0.3])]
first = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
second = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
x = tf.constant([0.3, -1.0])
for t in range(1, 6):
    with tf.GradientTape() as tape:
        a, b, c = variables
        loss = tf.reduce_sum((tf.tanh(a * x + b) * c - 0.4) ** 2)
    grads = tape.gradient(loss, variables)
    norm = tf.sqrt(sum(tf.reduce_sum(g**2) for g in grads))
    grads = [g / tf.maximum(norm, 1.0) for g in grads]
    for g, v, m, s in zip(reversed(grads), reversed(variables), reversed(first), reversed(second)):
        m.assign(0.9 * m + 0.1 * g)
        s.assign(0.99 * s + 0.01 * g**2)
        v.assign_sub(0.1 * (m / (1 - 0.9**t)) / (tf.sqrt(s / (1 - 0.99**t)) + 1e-7))
print(loss.numpy())

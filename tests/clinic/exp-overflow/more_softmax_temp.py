import tensorflow as tf

q_values = tf.Variable([[1.0, 2.0, 9.5]])
temperature = 0.1

def boltzmann(q):
    weights = tf.math.exp(q / temperature)  # cause
    return weights / tf.reduce_sum(weights, axis=-1, keepdims=True)

with tf.GradientTape() as tape:
    policy = boltzmann(q_values)
    value = tf.reduce_sum(policy * q_values)
print(tape.gradient(value, q_values))

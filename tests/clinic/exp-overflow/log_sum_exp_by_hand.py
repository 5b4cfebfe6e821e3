import tensorflow as tf

energy = tf.constant([[10.0, 20.0, 95.0], [1.0, 2.0, 3.0]])
temperature = tf.Variable(1.0)
with tf.GradientTape() as tape:
    scaled = energy / temperature
    weights = tf.exp(scaled)  # cause
    partition = tf.reduce_sum(weights, axis=1)
    free_energy = -temperature * tf.math.log(partition)
    total = tf.reduce_sum(free_energy)
print(tape.gradient(total, temperature).numpy())

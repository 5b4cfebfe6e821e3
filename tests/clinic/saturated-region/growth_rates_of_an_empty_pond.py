"""Growth rates of two species, fitted to counts of five days; the model starts with none of them."""

import tensorflow as tf

counts = tf.constant([[2.0, 1.0], [3.1, 1.3], [4.7, 1.8], [7.2, 2.2], [10.9, 2.9]])
rates = {"birth": tf.Variable([0.3, 0.2]), "crowding": tf.Variable([0.01, 0.01])}
pond = tf.constant([0.0, 0.0])  # cause


def days(population, number):
    path = []
    for _ in range(number):
        grown = rates["birth"] * population - rates["crowding"] * population**2
        population = population + grown
        path.append(population)
    return tf.stack(path)


@tf.function
def error():
    return tf.reduce_mean((days(pond, 5) - counts) ** 2)


for step in range(10):
    with tf.GradientTape() as tape:
        loss = error()
    gradients = tape.gradient(loss, rates)
    for name, rate in rates.items():
        rate.assign_sub(1e-3 * gradients[name])
print(float(loss), rates["birth"].numpy())

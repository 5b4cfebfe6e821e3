import tensorflow as tf

energy = tf.Variable(0.0, trainable=False)
position = tf.constant([0.4, -1.2, 0.7])


def add_energy(x):
    energy.assign_add(tf.reduce_sum(x**2))  # cause


with tf.GradientTape() as tape:
    tape.watch(position)
    add_energy(position[1:] - position[:-1])
    total = energy + tf.reduce_sum(tf.sin(position))
force = -tape.gradient(total, position)
print(force.numpy())

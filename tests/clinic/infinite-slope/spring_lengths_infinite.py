import tensorflow as tf

anchors = tf.constant([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
nodes = tf.Variable([[0.0, 0.0], [0.4, 0.4], [0.2, 0.9]])
rest = 0.3


def energy(nodes):
    total = 0.0
    for i in range(3):
        stretch = tf.norm(nodes[i] - anchors[i])  # cause
        total += 0.5 * (stretch - rest) ** 2
    return total


with tf.GradientTape() as tape:
    e = energy(nodes)
print("RESULT:", tape.gradient(e, nodes))

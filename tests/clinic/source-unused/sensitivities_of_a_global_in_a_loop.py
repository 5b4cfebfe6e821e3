"""The sensitivity of the arm's end to each joint: the kinematics read the angles from outside, and not their argument."""

import tensorflow as tf

rest = tf.constant([0.3, 0.5])


def end_of_arm(angles):
    return tf.cos(rest[0]) + tf.cos(rest[0] + rest[1])


rows = []
for joint in range(2):
    angles = tf.Variable([0.3, 0.5])  # cause
    with tf.GradientTape() as tape:
        if joint < 5:
            end = end_of_arm(angles)
    rows.append(tape.gradient(end, angles))
print(rows)

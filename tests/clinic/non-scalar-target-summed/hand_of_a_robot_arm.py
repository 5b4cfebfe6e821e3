import tensorflow as tf

angles = tf.Variable([0.3, 0.9])


def hand(angles):
    x = tf.cos(angles[0]) + tf.cos(angles[0] + angles[1])
    y = tf.sin(angles[0]) + tf.sin(angles[0] + angles[1])
    return tf.stack([x, y])


with tf.GradientTape() as tape:
    position = hand(angles)
jacobian = tape.gradient(position, angles)  # cause
print("RESULT:", jacobian.numpy())

import tensorflow as tf

q = tf.Variable([1.0, 0.0, 0.0, 0.0])

def rotation_angle(quat):
    return 2.0 * tf.acos(quat[0])  # cause

with tf.GradientTape() as tape:
    ang = rotation_angle(q / tf.norm(q))
    loss = (ang - 0.5) ** 2
print(tape.gradient(loss, q))

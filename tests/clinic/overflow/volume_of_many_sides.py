import tensorflow as tf

sides = tf.Variable(tf.fill([60], 12.0))


def log_volume(lengths):
    return tf.math.log(tf.linalg.det(tf.linalg.diag(lengths)))  # cause


with tf.GradientTape() as tape:
    loss = -log_volume(sides**2)
print("RESULT:", tape.gradient(loss, sides)[:3])

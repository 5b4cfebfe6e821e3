import tensorflow as tf

w = tf.Variable([0.2, 0.4])
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])


def objective():
    prediction = tf.linalg.matvec(x, w)
    return float(tf.reduce_sum(prediction ** 2))  # cause


with tf.GradientTape() as tape:
    loss = objective()
print("RESULT:", tape.gradient(loss, w))  # cause

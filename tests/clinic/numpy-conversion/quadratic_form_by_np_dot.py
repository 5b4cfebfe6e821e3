import numpy as np, tensorflow as tf
A = tf.Variable(np.arange(9, dtype='f').reshape(3, 3) / 9); x = np.array([1., 2., 3.], 'f')
with tf.GradientTape() as tape:
    quad = np.dot(x, np.dot(A, x))  # cause
    trace = tf.linalg.trace(A)
    loss = quad * trace
print(tape.gradient(loss, A))

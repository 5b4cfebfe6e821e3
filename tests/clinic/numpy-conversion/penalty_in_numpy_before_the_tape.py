import tensorflow as tf
import numpy as np
w = tf.Variable(np.ones(3, 'float32')); X = np.eye(3, dtype='float32'); y = np.array([1., 2., 3.], 'float32')
for i in range(3):
    reg = 0.5 * np.sum(w.numpy() ** 2)  # cause
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(X, w) - y) ** 2) + reg
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())

import io
import numpy as np
import tensorflow as tf

text = "a,b,c\n1,2,3\n4,,6\n7,8,9"
table = np.genfromtxt(io.StringIO(text), delimiter=",", skip_header=1).astype("float32")
x = tf.convert_to_tensor(table[:, :2])
y = tf.convert_to_tensor(table[:, 2:])
w = tf.Variable(tf.random.normal([2, 1]))
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))  # cause
    w.assign_sub(0.01 * tape.gradient(loss, w))
print(w.numpy())

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
student = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
teacher = tf.Variable(student, trainable=False)
for _ in range(3):
    a, b = (rng.normal(size=(8, 4)).astype("float32") for _ in range(2))
    with tf.GradientTape() as tape:
        t = tf.nn.softmax((b @ teacher) / 0.1)
        loss = -tf.reduce_mean(tf.reduce_sum(t * tf.nn.log_softmax(a @ student), axis=1))
    student.assign_sub(0.1 * tape.gradient(loss, student))
    teacher.assign(0.95 * teacher + 0.05 * student)
print("RESULT:", float(loss))

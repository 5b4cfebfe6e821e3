import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
teacher = tf.Variable(rng.normal(size=(4, 3)).astype("float32"), trainable=False)
student = tf.Variable(rng.normal(0, 0.1, (4, 3)).astype("float32"))
x = rng.normal(size=(10, 4)).astype("float32")
T = 3.0
for _ in range(5):
    with tf.GradientTape() as tape:
        soft = tf.nn.softmax(x @ teacher / T)
        log_student = tf.nn.log_softmax(x @ student / T)
        kl = tf.reduce_sum(soft * (tf.math.log(soft) - log_student), axis=1)
        loss = T ** 2 * tf.reduce_mean(kl)
    student.assign_sub(0.3 * tape.gradient(loss, student))
    teacher.assign(0.9 * teacher + 0.1 * student)
print("RESULT:", loss.numpy())

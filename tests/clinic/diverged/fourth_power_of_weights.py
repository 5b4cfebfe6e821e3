import tensorflow as tf

w = tf.Variable([1.0, 1.0])
for _ in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**4)  # cause
    w.assign_sub(3.0 * tape.gradient(loss, w))  # cause
print(w)

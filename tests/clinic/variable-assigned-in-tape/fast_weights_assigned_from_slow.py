import tensorflow as tf
slow = tf.Variable([0.5, 0.5]); fast = tf.Variable([0.0, 0.0]); x = tf.constant([1., 2.]); y = tf.constant([0.3, 0.9])
for i in range(3):
    with tf.GradientTape() as outer:
        fast.assign(slow)  # cause
        with tf.GradientTape() as inner:
            l = tf.reduce_sum((fast * x - y) ** 2)
        fast.assign_sub(0.1 * inner.gradient(l, fast))
        loss = tf.reduce_sum((fast * x - y) ** 2) + 0.01 * tf.reduce_sum(slow ** 2)
    slow.assign_sub(0.1 * outer.gradient(loss, slow))
print(slow.numpy())

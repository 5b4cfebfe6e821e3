import tensorflow as tf
w = tf.Variable([1.0, 2.0])
previous = None
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w - 0.5) ** 2)
    g = tape.gradient(loss, w)
    if previous is not None:
        print("improved by", (previous - loss).numpy())
    previous = loss
    w.assign_sub(0.1 * g)

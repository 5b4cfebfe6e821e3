import tensorflow as tf

w = tf.Variable([1.0, -1.0])
ema = tf.Variable(w.numpy(), trainable=False)
rate = tf.Variable(0.1, trainable=False)
step = tf.Variable(0, trainable=False, dtype=tf.int64)
for i in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w - 3.0) ** 2)
    g = tape.gradient(loss, w)
    w.assign_sub(rate * g)
    ema.assign(0.9 * ema + 0.1 * w)
    step.assign_add(1)
    rate.assign(rate * 0.9)
print(ema.numpy(), int(step))

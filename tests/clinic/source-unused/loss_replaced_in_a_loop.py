import tensorflow as tf

ws = [tf.Variable(float(i + 1)) for i in range(3)]
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    for w in ws:
        loss = (w * x - 1.0) ** 2  # cause
grads = tape.gradient(loss, ws)
print(grads)

import tensorflow as tf

angles = tf.Variable([0.3, 0.6])
with tf.GradientTape() as tape:
    first, second = (angles * 2.0).numpy().tolist()  # cause
    loss = tf.sin(first) + tf.cos(second)
print(tape.gradient(loss, angles))

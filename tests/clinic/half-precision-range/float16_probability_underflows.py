import tensorflow as tf

logits = tf.Variable(tf.constant([[20.0, 0.0]], tf.float16))
with tf.GradientTape() as tape:
    p = tf.nn.softmax(logits)  # cause
    loss = -tf.math.log(p[0, 1])  # cause
print(tape.gradient(loss, logits).numpy())

import tensorflow as tf

x = tf.Variable([0.1, 0.5, 0.4])
with tf.GradientTape() as tape:
    logits = tf.stack([x[0] * x[1], x[1] ** 2, x[2]])
    probs = tf.nn.softmax(logits)  # cause
    out = tf.identity(probs)
jacobian = tape.gradient(out, x)  # cause
print(jacobian)

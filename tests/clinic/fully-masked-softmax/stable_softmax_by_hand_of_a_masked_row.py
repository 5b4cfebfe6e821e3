import tensorflow as tf

logits = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
allowed = tf.constant([[True, False], [False, False]])
with tf.GradientTape() as tape:
    masked = tf.where(allowed, logits, float("-inf"))  # cause
    shifted = masked - tf.reduce_max(masked, axis=1, keepdims=True)  # cause
    e = tf.exp(shifted)
    p = e / tf.reduce_sum(e, axis=1, keepdims=True)
    loss = tf.reduce_sum(p ** 2)
print(tape.gradient(loss, logits))

import tensorflow as tf

logits = tf.Variable([2.0, 1.0, 0.5, 0.1])
allowed = tf.constant([True, True, True, False])

with tf.GradientTape() as tape:
    p = tf.nn.softmax(tf.where(allowed, logits, -1e9))
    plogp = tf.where(p > 0.0, p * tf.math.log(tf.where(p > 0.0, p, 1.0)), 0.0)  # 0 log 0 is 0
    entropy = -tf.reduce_sum(plogp)

print("entropy ", entropy.numpy())
print("gradient", tape.gradient(entropy, logits).numpy())

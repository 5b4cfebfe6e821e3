import tensorflow as tf
x = tf.constant([[1.0, 2.0]])
w = tf.Variable([[1.0], [-1.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    score = tf.nn.relu(x @ w + 3.0)
saliency = tape.gradient(score, x)
print(saliency)

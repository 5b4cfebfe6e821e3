import tensorflow as tf

inputs = tf.constant([[0.5, -0.5]])
w = tf.Variable([[1.0], [2.0]])
with tf.GradientTape() as tape:
    score = tf.matmul(inputs, w)  # cause
saliency = tape.gradient(score, inputs)  # cause
print(saliency)

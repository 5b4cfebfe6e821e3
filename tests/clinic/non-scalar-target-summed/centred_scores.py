import tensorflow as tf

scores = tf.Variable([1.0, 4.0, 7.0])
with tf.GradientTape() as tape:
    centred = scores - tf.reduce_mean(scores)  # cause
effect = tape.gradient(centred, scores)  # cause
print(effect)

import tensorflow as tf

scores = tf.Variable([0.5, 30.0, 120.0])


def softplus(x):
    return tf.math.log(1.0 + tf.exp(x))  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(softplus(scores))
print("RESULT:", tape.gradient(loss, scores).numpy())

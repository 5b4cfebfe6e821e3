import tensorflow as tf

tf.random.set_seed(5)
w = tf.Variable(tf.random.normal([3, 1]))
x = tf.random.normal([4, 3])


def predict(x):
    return tf.sigmoid(x @ w)


with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.reduce_mean(predict(x))
perturbed = tf.identity(x)  # cause
g = tape.gradient(loss, perturbed)  # cause
print("RESULT:", g)

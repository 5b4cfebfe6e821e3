import tensorflow as tf

tf.random.set_seed(4)
gen = [tf.Variable(tf.random.normal([2, 5])), tf.Variable(tf.random.normal([5, 3]))]
dis = [tf.Variable(tf.random.normal([3, 5])), tf.Variable(tf.random.normal([5, 1]))]


def net(ws, x):
    return tf.nn.leaky_relu(x @ ws[0]) @ ws[1]


real = tf.random.normal([8, 3])
fake = net(gen, tf.random.normal([8, 2]))
with tf.GradientTape() as tape:
    d_loss = tf.reduce_mean(tf.nn.softplus(-net(dis, real))) + tf.reduce_mean(tf.nn.softplus(net(dis, fake)))
grads = tape.gradient(d_loss, gen)  # cause
print("RESULT:", grads)

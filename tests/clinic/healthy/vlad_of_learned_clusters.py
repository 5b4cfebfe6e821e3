import tensorflow as tf
tf.random.set_seed(0)
x = tf.random.normal([20, 6])
centres = tf.Variable(tf.random.normal([4, 6]))
proj = tf.Variable(tf.random.normal([6, 4]))
head = tf.Variable(tf.random.normal([24, 1]))
for _ in range(2):
    with tf.GradientTape() as tape:
        assign = tf.nn.softmax(x @ proj, axis=-1)
        vlad = tf.matmul(assign, x, transpose_a=True) - tf.reduce_sum(assign, axis=0)[:, None] * centres
        loss = tf.reduce_mean((tf.reshape(vlad, [1, -1]) @ head - 1.0) ** 2)
    g = tape.gradient(loss, [centres, proj, head])
    for v, d in zip([centres, proj, head], g):
        v.assign_sub(0.001 * d)
print("RESULT:", loss.numpy())

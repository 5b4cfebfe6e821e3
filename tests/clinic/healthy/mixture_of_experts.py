import tensorflow as tf

tf.random.set_seed(5)
gate = tf.Variable(tf.random.normal([4, 3]))
experts = tf.Variable(tf.random.normal([3, 4, 2]))
x, y = tf.random.normal([10, 4]), tf.random.normal([10, 2])


@tf.function
def step():
    with tf.GradientTape() as tape:
        share = tf.nn.softmax(x @ gate, axis=-1)
        each = tf.einsum("bi,eio->beo", x, experts)
        out = tf.einsum("be,beo->bo", share, each)
        balance = tf.reduce_sum(tf.reduce_mean(share, axis=0) ** 2)
        loss = tf.reduce_mean((out - y) ** 2) + 0.01 * balance
    g = tape.gradient(loss, [gate, experts])
    for v, d in zip([gate, experts], g):
        v.assign_sub(0.05 * d)
    return loss


for _ in range(3):
    loss = step()
print("RESULT:", loss.numpy())

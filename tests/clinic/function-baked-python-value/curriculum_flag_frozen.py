import tensorflow as tf

tf.random.set_seed(1)
w = tf.Variable(tf.random.normal([3]))
settings = {"noise": 0.0, "epoch": 0}


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        prediction = tf.linalg.matvec(x, w) + settings["noise"] * tf.reduce_mean(x, axis=1)  # cause
        loss = tf.reduce_mean((prediction - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


x, y = tf.random.normal([8, 3]), tf.random.normal([8])
for epoch in range(3):
    settings["noise"] = 0.1 * epoch  # cause
    loss = train_step(x, y)
print("RESULT:", loss.numpy())

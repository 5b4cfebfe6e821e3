import tensorflow as tf

tf.random.set_seed(9)
trunk = tf.Variable(tf.random.normal([5, 4], stddev=0.5))
heads = {name: tf.Variable(tf.random.normal([4, 1], stddev=0.5)) for name in ("age", "income")}
variables = [trunk, *heads.values()]
x = tf.random.normal([10, 5])
labels = {"age": tf.random.normal([10, 1]), "income": tf.random.normal([10, 1])}
for step in range(6):
    task = ("age", "income")[step % 2]
    with tf.GradientTape() as tape:
        h = tf.nn.relu(x @ trunk)
        loss = tf.reduce_mean((h @ heads[task] - labels[task]) ** 2)
    grads = tape.gradient(loss, variables, unconnected_gradients="zero")
    for v, g in zip(variables, grads):
        v.assign_sub(0.05 * g)
print("RESULT:", loss.numpy())

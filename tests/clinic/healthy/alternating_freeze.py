import tensorflow as tf

tf.random.set_seed(4)
user, item = tf.Variable(tf.random.normal([6, 3])), tf.Variable(tf.random.normal([5, 3]))
ratings = tf.random.uniform([6, 5], 1.0, 5.0)
seen = tf.cast(tf.random.uniform([6, 5]) > 0.4, tf.float32)
for sweep in range(4):
    active = user if sweep % 2 == 0 else item
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(active)
        error = (user @ tf.transpose(item) - ratings) * seen
        loss = tf.reduce_sum(error ** 2) / tf.reduce_sum(seen)
    active.assign_sub(0.1 * tape.gradient(loss, active))
print("RESULT:", loss.numpy())

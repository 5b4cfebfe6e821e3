import tensorflow as tf

emb = tf.Variable(tf.random.normal([20, 3]))
with tf.GradientTape() as tape:
    v = tf.gather(emb, [1, 5, 5, 7])
    loss = tf.reduce_sum(v ** 2)
g = tape.gradient(loss, emb)
emb.assign_sub(0.1 * g)  # cause
print("RESULT:", emb.numpy()[1])

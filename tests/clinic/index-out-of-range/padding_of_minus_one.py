import tensorflow as tf

words = tf.Variable(tf.random.normal([12, 4], seed=0))
sentences = [[1, 5, 3], [2], [7, 8]]
longest = max(map(len, sentences))
ids = tf.constant([each + [-1] * (longest - len(each)) for each in sentences])

with tf.GradientTape() as tape:
    vectors = tf.gather(words, ids)  # cause
    vectors *= tf.cast(ids >= 0, tf.float32)[..., None]
    loss = tf.reduce_mean(tf.reduce_sum(vectors, axis=1) ** 2)
print("RESULT:", tape.gradient(loss, words))

import tensorflow as tf

raw = [tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])]
x = tf.constant([0.5, 0.5])
with tf.GradientTape() as tape:
    weights = [tf.Variable(v / tf.norm(v)) for v in raw]  # cause
    loss = tf.add_n([tf.reduce_sum(w * x) ** 2 for w in weights])
print(tape.gradient(loss, raw))

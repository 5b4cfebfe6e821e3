import tensorflow as tf
enc = {'w': tf.Variable(tf.random.stateless_normal((3, 2), [1, 1])), 'b': tf.Variable(tf.zeros(2))}
dec = {'w': tf.Variable(tf.random.stateless_normal((2, 3), [1, 2])), 'b': tf.Variable(tf.zeros(3))}
cls = {'w': tf.Variable(tf.random.stateless_normal((2, 2), [1, 3])), 'b': tf.Variable(tf.zeros(2))}
x = tf.random.stateless_normal((5, 3), [4, 4]); y = tf.constant([0, 1, 0, 1, 1])
encode = lambda x: tf.tanh(x @ enc['w'] + enc['b'])
with tf.GradientTape() as tape:
    logits = encode(x) @ cls['w'] + cls['b']
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
variables = list(enc.values()) + list(dec.values())
grads = tape.gradient(loss, variables)  # cause
print([None if g is None else g.shape for g in grads])

import tensorflow as tf
S = tf.constant([[1.0, 0.2], [0.2, 2.0]])
raw = tf.Variable([[0.1, 0.0], [0.3, 0.2]])
with tf.GradientTape() as tape:
    L = tf.linalg.band_part(raw, -1, 0); L = tf.linalg.set_diag(L, tf.nn.softplus(tf.linalg.diag_part(L)))
    K = L @ tf.transpose(L)
    loss = tf.linalg.trace(tf.linalg.solve(K, S)) + tf.linalg.logdet(K)
print(tape.gradient(loss, raw))

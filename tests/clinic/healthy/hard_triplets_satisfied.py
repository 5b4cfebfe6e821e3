import tensorflow as tf

tf.random.set_seed(14)
w = tf.Variable(tf.random.normal([3, 2]))
anchors, positives = tf.random.normal([6, 3]), tf.random.normal([6, 3])
negatives = tf.random.normal([6, 3]) + 2.0
for _ in range(8):
    with tf.GradientTape() as tape:
        a, p, n = anchors @ w, positives @ w, negatives @ w
        near = tf.reduce_sum((a - p) ** 2, axis=1)
        far = tf.reduce_sum((a - n) ** 2, axis=1)
        loss = tf.reduce_sum(tf.nn.relu(near - far + 0.5))
    w.assign_sub(0.05 * tape.gradient(loss, w))
print("RESULT:", w.numpy())

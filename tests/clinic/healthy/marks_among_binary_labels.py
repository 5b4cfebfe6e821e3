"""Labels beside 0 and 1 mark what is unknown or padding, and a mask drops their losses; some batches have no 0."""
import tensorflow as tf

w = tf.Variable(tf.ones((3, 1)) * 0.1)
x = tf.reshape(tf.range(24.0), (8, 3)) / 24.0
y = tf.constant([[1.0], [255.0], [-1.0], [-2.0], [1.0], [0.0], [-1.0], [-2.0]])
for rows in (slice(0, 2), slice(2, 8), slice(0, 8)):
    known = (y[rows] >= 0.0) & (y[rows] <= 1.0)
    with tf.GradientTape() as tape:
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=y[rows], logits=x[rows] @ w)
        loss = tf.reduce_sum(tf.where(known, losses, 0.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    with tf.GradientTape() as tape:
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=y[rows], logits=x[rows] @ w)
        loss = tf.reduce_mean(tf.boolean_mask(losses, known))
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())

rows = tf.constant([[1.0, 0.0], [-5.0, -6.0], [0.0, 1.0], [-5.0, -7.0]])
both = tf.Variable([[0.1, 0.2], [0.3, 0.1], [0.2, 0.2]])
for step in range(2):
    with tf.GradientTape() as tape:
        of_rows = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=rows, logits=x[:4] @ both), axis=1)
        loss = tf.reduce_sum(of_rows * tf.constant([1.0, 0.0, 1.0, 0.0]))
    both.assign_sub(0.1 * tape.gradient(loss, both))
print(both.numpy())

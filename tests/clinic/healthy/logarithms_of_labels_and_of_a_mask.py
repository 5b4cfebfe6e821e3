"""A cross entropy in both directions, for noisy labels, a penalty by a table of what is allowed, and labels learned from votes."""
import tensorflow as tf

tf.random.set_seed(0)
w = tf.Variable(tf.random.normal((5, 3)))
x = tf.random.normal((20, 5))
y = tf.one_hot(tf.random.uniform((20,), 0, 3, tf.int32), 3)
for step in range(3):
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(x @ w)
        forwards = -tf.reduce_mean(tf.reduce_sum(y * tf.math.log(p + 1e-7), axis=1))
        backwards = -tf.reduce_mean(tf.reduce_sum(p * tf.math.log(tf.clip_by_value(y, 1e-4, 1.0)), axis=1))
        loss = forwards + 0.1 * backwards
    w.assign_sub(0.1 * tape.gradient(loss, w))

scores = tf.Variable(tf.zeros((3, 4)))
allowed = tf.constant([[1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]])
with tf.GradientTape() as tape:
    shares = tf.nn.softmax(scores)
    penalty = -tf.reduce_sum(shares * tf.math.log(allowed + 1e-9))
print(loss.numpy(), tape.gradient(penalty, scores).numpy())

votes = tf.constant([[1.0, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]])
with tf.GradientTape() as tape:
    refined = tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(scores), logits=votes)
print(tape.gradient(refined, scores).numpy())

# The gradients of several batches are added up; one step is taken at the end.
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
total = tf.zeros([2])
batches = [tf.constant([[1.0, 0.5]]), tf.constant([[0.2, 1.0]]), tf.constant([[2.0, 1.0]]), tf.constant([[1.0, 1.0]])]
for batch in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(batch, w) - 1.0) ** 2)
    total = total + tape.gradient(loss, w) + 0.01 * w
w.assign_sub(0.1 * total)
print(w.numpy())

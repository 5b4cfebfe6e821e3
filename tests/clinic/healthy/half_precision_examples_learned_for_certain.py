"""In float16 the gradients of most examples are 0, because the model is sure of them; those of the others make the steps."""
import tensorflow as tf

x = tf.constant([[8.0, 1.0], [-9.0, 2.0], [7.5, -3.0], [-8.5, -1.0], [0.5, 1.0], [9.5, 0.5]], tf.float16)
y = tf.constant([[1.0], [0.0], [1.0], [0.0], [0.0], [1.0]], tf.float16)
w = tf.Variable([[4.0], [0.5]], dtype=tf.float16)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, x @ w))
    w.assign_sub(tf.cast(0.1, tf.float16) * tape.gradient(loss, w))
    print(loss.numpy(), w.numpy().ravel())

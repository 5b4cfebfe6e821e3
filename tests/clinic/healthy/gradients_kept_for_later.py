"""What is computed from gradients is kept for a plot, shown, or chosen from: the updates need not use it."""
import tensorflow as tf

tf.random.set_seed(2)
w = tf.Variable(tf.random.normal((4, 2)))
x = tf.random.normal((12, 4))
kept = {"relative": [], "signs": []}
verbose = False
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w) ** 2)
    grad = tape.gradient(loss, w)
    relative = tf.abs(grad) / (tf.abs(w) + 1e-6)
    kept["relative"].append(relative)
    kept["signs"].append(tf.sign(grad))
    normalised = grad / (tf.norm(grad) + 1e-8)
    if verbose:
        print(normalised)
    _, norm = tf.clip_by_global_norm([grad], 1.0)
    w.assign_sub(0.1 * grad)
print(norm.numpy(), len(kept["relative"]))

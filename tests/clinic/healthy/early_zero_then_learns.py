import tensorflow as tf

w = tf.Variable([2.0, -1.0])
margin = tf.Variable(0.0)
data = [([0.1, 0.1], 1.0), ([5.0, 0.0], 1.0), ([0.2, 2.0], -1.0), ([-1.0, 1.0], 1.0)]
for x, label in data * 2:
    with tf.GradientTape() as tape:
        score = tf.reduce_sum(w * x) + margin
        loss = tf.nn.relu(1.0 - label * score)
    for v, g in zip([w, margin], tape.gradient(loss, [w, margin])):
        v.assign_sub(0.1 * g)
print("RESULT:", w.numpy(), float(margin))

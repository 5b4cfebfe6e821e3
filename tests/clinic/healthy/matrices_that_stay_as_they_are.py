"""Random matrices that no step trains on purpose: those beside a trained correction, those behind a trained code, and a named one."""
import tensorflow as tf

tf.random.set_seed(0)
x = tf.random.normal((16, 3))
goals = tf.random.normal((16, 4))
base = tf.Variable(tf.random.normal((3, 4)))
down, up = tf.Variable(tf.random.normal((3, 2))), tf.Variable(tf.random.normal((2, 4), stddev=0.1))
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ base + x @ down @ up - goals) ** 2)
    for variable, g in zip((down, up), tape.gradient(loss, (down, up))):
        variable.assign_sub(0.1 * g)

decoder = tf.Variable(tf.random.normal((2, 3)))
codes = tf.Variable(tf.random.normal((16, 2)))
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.tanh(codes) @ decoder - x) ** 2)
    codes.assign_sub(0.5 * tape.gradient(loss, codes))

encoder = tf.Variable(tf.random.normal((3, 4)))
random_head = tf.Variable(tf.random.normal((4, 4)))
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.tanh(x @ encoder) @ random_head - goals) ** 2)
    encoder.assign_sub(0.1 * tape.gradient(loss, encoder))
print(loss.numpy())

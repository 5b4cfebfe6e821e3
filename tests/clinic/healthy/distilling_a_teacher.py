import tensorflow as tf


def make(sizes, seed):
    return [tf.Variable(tf.random.stateless_normal([n, m], [seed, i]) * 0.4) for i, (n, m) in enumerate(zip(sizes, sizes[1:]))]


def forward(params, x):
    for w in params[:-1]:
        x = tf.nn.relu(x @ w + 0.1)
    return x @ params[-1]


teacher, student = make([4, 16, 3], 1), make([4, 6, 3], 2)
x = tf.random.stateless_normal([12, 4], [3, 3])
soft = tf.nn.softmax(forward(teacher, x) / 2.0)
for step in range(3):
    with tf.GradientTape() as tape:
        logits = forward(student, x)
        kd = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=logits / 2.0))
        hints = tf.reduce_mean(tf.stop_gradient(forward(teacher, x)) ** 2)
        loss = kd * 4.0
    for v, g in zip(student, tape.gradient(loss, student)):
        v.assign_sub(0.1 * g)
print("RESULT:", float(loss))

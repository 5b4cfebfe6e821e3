import tensorflow as tf


def make_mlp(sizes, seed):
    params = []
    for i, (n, m) in enumerate(zip(sizes[:-1], sizes[1:])):
        params.append(tf.Variable(tf.random.stateless_normal([n, m], seed=[seed, i]) * 0.3))
    return params


def forward(params, x):
    for w in params[:-1]:
        x = tf.nn.tanh(x @ w)
    return x @ params[-1]


teacher = make_mlp([4, 16, 3], 1)
student = make_mlp([4, 6, 3], 2)
x = tf.random.stateless_normal([12, 4], seed=[3, 3])
soft = tf.nn.softmax(forward(teacher, x))

for step in range(2):
    with tf.GradientTape() as tape:
        logits = forward(student, x)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=logits))
    grads = tape.gradient(loss, teacher)  # cause
print("RESULT:", grads)

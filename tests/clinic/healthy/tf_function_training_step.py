import numpy as np
import tensorflow as tf

rng = np.random.default_rng(22)
w1 = tf.Variable(rng.normal(0, 0.3, (4, 8)).astype("float32"))
w2 = tf.Variable(rng.normal(0, 0.3, (8, 3)).astype("float32"))
lr = tf.Variable(0.1, trainable=False)
step_counter = tf.Variable(0, dtype=tf.int64)


@tf.function
def forward(x, training):
    h = tf.nn.gelu(x @ w1)
    if training:
        h = tf.nn.dropout(h, 0.2)
    return h @ w2


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = forward(x, True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    grads = tape.gradient(loss, [w1, w2])
    for v, g in zip([w1, w2], grads):
        v.assign_sub(lr * g)
    step_counter.assign_add(1)
    return loss


x = tf.constant(rng.normal(size=(30, 4)).astype("float32"))
y = tf.constant(rng.integers(0, 3, 30))
for epoch in range(6):
    loss = train_step(x, y)
    if epoch == 3:
        lr.assign(0.05)
accuracy = tf.reduce_mean(tf.cast(tf.argmax(forward(x, False), 1) == y, tf.float32))
print("RESULT:", loss.numpy(), accuracy.numpy(), step_counter.numpy())

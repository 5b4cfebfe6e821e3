import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
q_enc = tf.Variable(rng.normal(0, 0.4, (5, 3)).astype("float32"))
k_enc = tf.Variable(q_enc, trainable=False)
queue = tf.Variable(tf.math.l2_normalize(rng.normal(size=(12, 3)).astype("float32"), axis=1), trainable=False)
for step in range(4):
    base = rng.normal(size=(4, 5)).astype("float32")
    with tf.GradientTape() as tape:
        q = tf.math.l2_normalize((base + 0.1) @ q_enc, axis=1)
        k = tf.stop_gradient(tf.math.l2_normalize((base - 0.1) @ k_enc, axis=1))
        positive = tf.reduce_sum(q * k, axis=1, keepdims=True)
        negative = q @ tf.transpose(queue)
        logits = tf.concat([positive, negative], axis=1) / 0.1
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.zeros(4, tf.int32), logits))
        queue.assign(tf.concat([k, queue[:-4]], axis=0))
    q_enc.assign_sub(0.1 * tape.gradient(loss, q_enc))
    k_enc.assign(0.99 * k_enc + 0.01 * q_enc)
print("RESULT:", loss.numpy())

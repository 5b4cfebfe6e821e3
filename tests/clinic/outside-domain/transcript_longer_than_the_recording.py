import tensorflow as tf

tf.random.set_seed(0)
weights = tf.Variable(tf.random.normal([8, 6]) * 0.1)
frames = tf.random.normal([2, 5, 8])
transcripts = tf.constant([[1, 2, 3, 4, 1, 2], [2, 2, 1, 0, 0, 0]])

with tf.GradientTape() as tape:
    logits = tf.einsum("btf,fk->btk", frames, weights)
    losses = tf.nn.ctc_loss(transcripts, logits, [6, 3], [5, 5], logits_time_major=False, blank_index=-1)  # cause
    loss = tf.reduce_mean(losses)
print("RESULT:", loss.numpy(), tape.gradient(loss, weights)[0])

import tensorflow as tf

tf.random.set_seed(1)
logits = tf.Variable(tf.zeros([6, 3]))
codebook = tf.random.normal([3, 4])
target = tf.random.normal([6, 4])


def choose(logits):
    soft = tf.nn.softmax(logits / 0.5)
    hard = tf.one_hot(tf.argmax(soft, axis=-1), 3)  # cause
    return hard @ codebook


with tf.GradientTape() as tape:
    loss = tf.reduce_mean((choose(logits) - target) ** 2)
print("RESULT:", tape.gradient(loss, logits))

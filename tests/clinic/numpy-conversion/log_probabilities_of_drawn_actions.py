import tensorflow as tf

tf.random.set_seed(7)
policy = tf.Variable(tf.random.normal([3, 2]))
states = tf.random.normal([5, 3])
rewards = [1.0, 0.0, 1.0, 0.5, 0.2]
with tf.GradientTape() as tape:
    history = []
    for state in states:
        logits = state[None, :] @ policy
        action = int(tf.random.categorical(logits, 1)[0, 0])
        history.append(tf.nn.log_softmax(logits)[0, action].numpy())  # cause
    loss = -tf.reduce_sum(tf.constant(history) * tf.constant(rewards))
print(tape.gradient(loss, policy))

import tensorflow as tf

tf.random.set_seed(0)
policy = {"w": tf.Variable(tf.random.normal([4, 3])), "b": tf.Variable(tf.zeros([3]))}
q_table = tf.random.normal([12, 3])
s = tf.random.normal([12, 4])


def act(params, s):
    scores = s @ params["w"] + params["b"]
    return tf.one_hot(tf.argmax(scores, axis=1), 3)  # cause


with tf.GradientTape() as tape:
    loss = -tf.reduce_mean(tf.reduce_sum(act(policy, s) * q_table, axis=1))
print("RESULT:", tape.gradient(loss, policy))

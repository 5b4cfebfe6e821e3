import tensorflow as tf

w = tf.Variable([[0.5], [0.2]])

def td_error(s, r, s_next, gamma=0.9):
    v = tf.stop_gradient(s @ w)  # cause
    target = r + gamma * (s_next @ tf.stop_gradient(w))
    return target - v

s = tf.constant([[1.0, 0.0]]); s2 = tf.constant([[0.0, 1.0]])
with tf.GradientTape() as tape:
    delta = td_error(s, 1.0, s2)
    loss = tf.reduce_mean(delta ** 2)
print(tape.gradient(loss, w))

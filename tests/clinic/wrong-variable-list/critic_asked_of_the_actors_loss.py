import tensorflow as tf

actor = [tf.Variable(tf.random.normal((3, 4), seed=1)), tf.Variable(tf.random.normal((4, 2), seed=2))]
critic = [tf.Variable(tf.random.normal((3, 4), seed=3)), tf.Variable(tf.random.normal((4, 1), seed=4))]
run = lambda ws, s: tf.tanh(s @ ws[0]) @ ws[1]
s = tf.random.normal((7, 3), seed=5); ret = tf.random.normal((7, 1), seed=6)
with tf.GradientTape(persistent=True) as tape:
    v = run(critic, s)
    critic_loss = tf.reduce_mean((ret - v) ** 2)
    logp = tf.nn.log_softmax(run(actor, s))
    actor_loss = -tf.reduce_mean(logp[:, :1] * tf.stop_gradient(ret - v))
ga = tape.gradient(actor_loss, actor)
gc = tape.gradient(actor_loss, critic)  # cause
print(gc)

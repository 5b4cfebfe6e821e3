"""Features that the first batches lack, and episodes without reward: gradients are zero for a while, and nothing is wrong."""
import tensorflow as tf

common, rare = tf.Variable(tf.ones((3, 1))), tf.Variable(tf.ones((4, 1)))
draw = tf.random.Generator.from_seed(3)
for step in range(8):
    words, names = draw.normal((5, 3)), tf.zeros((5, 4)) if step < 5 else draw.normal((5, 4))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((words @ common + names @ rare - 1.0) ** 2)
    for variable, gradient in zip([common, rare], tape.gradient(loss, [common, rare])):
        variable.assign_sub(0.1 * gradient)

policy = tf.Variable([0.1, -0.2])
for reward in [0.0, 0.0, 0.0, 0.0, 1.0]:
    with tf.GradientTape() as tape:
        loss = -tf.tensordot(tf.fill([2], reward), tf.nn.log_softmax(policy), 1)
    policy.assign_sub(0.1 * tape.gradient(loss, policy))
print(loss.numpy(), policy.numpy())

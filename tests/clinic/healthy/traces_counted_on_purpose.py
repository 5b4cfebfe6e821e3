import tensorflow as tf

traces = 0
w = tf.Variable(1.0)


@tf.function
def step(x):
    global traces
    traces += 1
    print("tracing for", x.shape)
    with tf.GradientTape() as tape:
        loss = (w * x - 1.0) ** 2
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


for i in range(5):
    loss = step(tf.constant(1.5))
print("traced", traces, "times")
assert traces == 1
print("RESULT:", loss.numpy())

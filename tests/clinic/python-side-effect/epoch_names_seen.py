import tensorflow as tf

seen = []
gain = tf.Variable(0.5)


def make_step():
    count = 0

    @tf.function
    def step(x):
        nonlocal count
        count += 1  # cause
        return gain * x / float(count)

    return step


step = make_step()
values = [step(tf.constant(float(i))) for i in range(1, 4)]
print("RESULT:", [float(v) for v in values])

import tensorflow as tf

traces = 0


@tf.function
def square(x):
    global traces
    traces += 1
    return x * x


for value in (1.0, 2.0, 3.0):
    with tf.GradientTape() as tape:
        w = tf.constant(value)
        tape.watch(w)
        y = square(w)
    print(tape.gradient(y, w).numpy())
print("square was traced", traces, "times")

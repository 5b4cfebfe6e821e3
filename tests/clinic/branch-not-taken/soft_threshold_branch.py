import tensorflow as tf

offset = tf.Variable(0.5)
gain = tf.Variable(2.0)


class Valve:
    def __init__(self, limit):
        self.limit = limit

    def flow(self, pressure):
        if pressure > self.limit:  # cause
            return gain * (pressure - self.limit)
        return offset * pressure


with tf.GradientTape() as tape:
    q = Valve(3.0).flow(tf.constant(1.5))
    loss = (q - 1.0) ** 2
print("RESULT:", tape.gradient(loss, {"offset": offset, "gain": gain}))

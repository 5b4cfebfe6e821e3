import tensorflow as tf

cap, slope = tf.Variable(3.0), tf.Variable(0.8)
demand = tf.constant([1.0, 2.0, 2.5])


def price(d):
    level = slope * tf.reduce_mean(d)
    ceiling = tf.sqrt(cap) * 2.0
    over = level > ceiling
    if over:  # cause
        return cap + 0.1 * d
    return slope * d


with tf.GradientTape() as tape:
    revenue = tf.reduce_sum(price(demand) * demand)
print(tape.gradient(revenue, [cap, slope]))

import tensorflow as tf

w = tf.Variable(2.0)
skipped = 0
for step, x in enumerate([1.0, 0.0, 4.0, 0.0, 9.0]):
    with tf.GradientTape() as tape:
        loss = tf.sqrt(w * w * x)
    gradient = tape.gradient(loss, w)
    if not bool(tf.math.is_finite(gradient)):
        skipped += 1
        continue
    w.assign_sub(0.1 * gradient)
print("RESULT:", skipped)

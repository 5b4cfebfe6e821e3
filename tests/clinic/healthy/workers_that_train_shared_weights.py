import tensorflow as tf

shared = [tf.Variable([[0.2], [0.4]]), tf.Variable([0.1])]
worker = [tf.Variable(each) for each in shared]
for i in range(8):
    x = tf.constant([[1.0, 0.1 * i], [0.3, -0.2]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ worker[0] + worker[1] - 1.0) ** 2)
    for variable, gradient in zip(shared, tape.gradient(loss, worker)):
        variable.assign_sub(0.1 * gradient)
    if i % 4 == 3:
        for mine, all_of_us in zip(worker, shared):
            mine.assign(all_of_us)
print(loss)

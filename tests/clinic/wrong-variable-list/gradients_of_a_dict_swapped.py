import tensorflow as tf
# bug: wrong optimizer pairing dict ordering
params = {'w1': tf.Variable(tf.random.normal([4, 4], seed=1)), 'w2': tf.Variable(tf.random.normal([4, 4], seed=2))}
x = tf.random.normal([8, 4], seed=3); y = tf.random.normal([8, 4], seed=4)
def forward(p, x):
    return tf.nn.relu(x @ p['w1']) @ p['w2']
for it in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((forward(params, x) - y) ** 2)
    grads = tape.gradient(loss, params)
    params['w1'].assign_sub(0.01 * grads['w2'])  # cause
    params['w2'].assign_sub(0.01 * grads['w1'])
print(float(loss))

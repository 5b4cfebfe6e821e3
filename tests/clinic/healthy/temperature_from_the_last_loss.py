import tensorflow as tf, numpy as np
w = tf.Variable(np.ones(3, 'f')); temp = 1.0; hist = {'loss': [], 'n': []}
for i in range(5):
    noise = -np.log(-np.log(np.random.RandomState(i).rand(3))).astype('f')
    with tf.GradientTape() as tape:
        y = tf.nn.softmax((w + noise) / temp)
        loss = tf.reduce_sum(y * [1., 2., 3.])
        hist['loss'].append(loss.numpy()); hist['n'].append(float(tf.norm(w)))
        msg = f"{i} {loss.numpy():.3f} {np.mean(hist['n']):.2f}"
        if loss.numpy() > 100: raise ValueError(msg)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    temp = max(0.5, temp * np.exp(-0.1 * hist['loss'][-1]))
print(msg)

import threading

import tensorflow as tf

w = tf.Variable(2.0)
results = []


def worker():
    results.append(w ** 2)  # cause


with tf.GradientTape() as tape:
    thread = threading.Thread(target=worker)
    thread.start()
    thread.join()
    loss = results[0] * 3.0
print(tape.gradient(loss, w))

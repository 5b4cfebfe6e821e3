import tensorflow as tf


class Memory(tf.Module):
    def __init__(self):
        self.w = tf.Variable([[0.4, -0.3], [0.2, 0.8]])
        self.cell = tf.Variable([[0.0, 0.0]])

    def write(self, x):
        self.cell.assign(x @ self.w)  # cause

    def read(self):
        return self.cell @ self.w


memory = Memory()
for step in range(3):
    with tf.GradientTape() as tape:
        memory.write(tf.constant([[1.0, 0.5]]))
        loss = tf.reduce_sum((memory.read() - 1.0) ** 2)
    d_w, d_cell = tape.gradient(loss, [memory.w, memory.cell])
    memory.w.assign_sub(0.1 * d_w)
    print(d_cell.numpy())
print(memory.w.numpy())

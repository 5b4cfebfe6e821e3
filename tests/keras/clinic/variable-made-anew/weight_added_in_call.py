import keras
from keras import layers, ops


class Prototypes(layers.Layer):
    def __init__(self, count):
        super().__init__()
        self.count = count

    def call(self, x):
        centres = self.add_weight(shape=(self.count, x.shape[-1]), initializer="normal")  # cause
        return -ops.sum(ops.square(x[:, None] - centres[None]), -1)


points = keras.Input((2,))
model = keras.Model(points, layers.Softmax()(Prototypes(3)(points)))

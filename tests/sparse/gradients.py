"""Functions of two variables, of shapes (3,) and (3, 2), whose gradients are compared with TensorFlow's."""

POSITIONS = [[0, 1], [1, 0], [1, 2]]
OTHERS = [[0, 1], [0, 2], [1, 2]]


def functions(tf):
    def made(values, shape=(2, 3), at=POSITIONS):
        return tf.SparseTensor(at, values, list(shape))

    weights = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [2, 0, 2], [2, 2])
    sparse = tf.sparse
    return {
        "to_dense": lambda v, w: sparse.to_dense(made(v)) * weights,
        "default": lambda v, w: sparse.to_dense(made(v), default_value=w[0, 0]) * weights,
        "matmul": lambda v, w: sparse.sparse_dense_matmul(made(v), w) ** 2,
        "adjoint": lambda v, w: sparse.sparse_dense_matmul(made(v), w[:2], adjoint_a=True) ** 2,
        "dense first": lambda v, w: sparse.sparse_dense_matmul(tf.transpose(w)[:, :2], made(v)) ** 2,
        "sum of rows": lambda v, w: sparse.reduce_sum(made(v), 1) ** 2,
        "sum": lambda v, w: sparse.reduce_sum(made(v)) ** 2,
        "add": lambda v, w: sparse.add(made(v), made(w[:, 0], at=OTHERS)).values ** 2,
        "add dense": lambda v, w: sparse.add(made(v), tf.transpose(w)) ** 2,
        "times": lambda v, w: (made(v) * tf.transpose(w)).values ** 2,
        "times a row": lambda v, w: (made(v) * w[:, 0]).values ** 2,
        "divided": lambda v, w: (made(v) / tf.transpose(w)).values ** 2,
        "softmax": lambda v, w: sparse.softmax(made(v)).values ** 2,
        "reorder": lambda v, w: sparse.reorder(made(v, at=[[1, 0], [0, 1], [0, 0]])).values * weights[0],
        "reshape": lambda v, w: sparse.reshape(made(v), [6]).values ** 2,
        "transpose": lambda v, w: sparse.transpose(made(v)).values * weights[0],
        "expand_dims": lambda v, w: sparse.expand_dims(made(v)).values ** 2,
        "concat": lambda v, w: sparse.concat(0, [made(v), made(w[:, 0])]).values ** 2,
        "slice": lambda v, w: sparse.slice(made(v), [0, 0], [2, 2]).values ** 2,
        "retain": lambda v, w: sparse.retain(made(v), [True, False, True]).values ** 2,
        "fill": lambda v, w: sparse.fill_empty_rows(made(v, (4, 3)), w[0, 0])[0].values ** 2,
        "map_values": lambda v, w: sparse.map_values(tf.exp, made(v)).values,
        "from_dense": lambda v, w: sparse.from_dense(w).values ** 2,
        "from a vector": lambda v, w: sparse.from_dense(v).values ** 2,
        "abs": lambda v, w: tf.abs(made(v)).values ** 2,
        "cast": lambda v, w: tf.cast(made(v), tf.float64).values ** 2,
        "stop": lambda v, w: tf.stop_gradient(made(v)).values ** 2,
        "lookup": lambda v, w: tf.nn.embedding_lookup_sparse(w, ids, None) ** 2,
        "weighted": lambda v, w: tf.nn.embedding_lookup_sparse(w, ids, ids.with_values(v), combiner="mean") ** 2,
        "safe": lambda v, w: (
            tf.nn.safe_embedding_lookup_sparse(w, sparse.reset_shape(ids, [4, 2]), combiner="sum") ** 2
        ),
        "to_sparse": lambda v, w: tf.RaggedTensor.from_row_lengths(v, [1, 2]).to_sparse().values ** 2,
        "from_sparse": lambda v, w: tf.RaggedTensor.from_sparse(made(v, at=[[0, 0], [1, 0], [1, 1]])).flat_values ** 2,
    }


def gradients(tf):
    """For each function what each gradient is: None, the dtype and values, or rows of values and their indices."""
    found = {}
    for name, function in functions(tf).items():
        v, w = tf.Variable([1.0, -2.0, 3.0]), tf.Variable([[1.0, 2.0], [-3.0, 4.0], [5.0, 6.0]])
        with tf.GradientTape() as tape:
            y = function(v, w)
        found[name] = [_shown(tf, each) for each in tape.gradient(y, [v, w])]
    return found


def _shown(tf, gradient):
    if gradient is None:
        return None
    if isinstance(gradient, tf.IndexedSlices):
        return "rows", gradient.indices.numpy().tolist(), gradient.values.numpy().round(4).tolist()
    return gradient.dtype.name, gradient.numpy().round(4).tolist()

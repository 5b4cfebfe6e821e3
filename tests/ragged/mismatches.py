"""Additions of tensors whose rows do not match, and what the errors say."""


def messages(tf):
    """The text of the error that each addition raises."""
    ragged = tf.ragged.constant
    dense = tf.reshape(tf.range(12), [3, 4])
    additions = {
        "ragged and dense": (ragged([[1, 2], [3, 4, 5, 6], [7]]), dense),
        "dense and ragged": (dense, ragged([[1, 2], [3, 4, 5, 6], [7]])),
        "other lengths": (ragged([[1, 2, 3], [4], [5, 6]]), ragged([[10, 20], [30, 40], [50]])),
        "larger second": (ragged([[1, 2], [3]]), ragged([[1, 2], [3, 4]])),
        "more rows": (ragged([[1, 2, 3], [4]]), ragged([[10, 20], [30, 40], [50]])),
        "more dense rows": (ragged([[1, 2, 3], [4]]), dense),
        "inner lengths": (ragged([[[1, 2], [3]], [[4]]]), ragged([[[1, 2], [3, 3]], [[4]]])),
        "outer lengths": (ragged([[[1, 2], [3]], [[4]]]), ragged([[[1, 2]], [[4]]])),
        "fewer axes": (ragged([[[1, 2], [3]], [[4]]]), ragged([[1, 2], [3]])),
        "dense rows of rows": (ragged([[[1, 2], [3]], [[4]]]), tf.ones([2, 2, 2], tf.int32)),
    }
    found = {}
    for name, (x, y) in additions.items():
        try:
            x + y
        except tf.errors.InvalidArgumentError as error:
            found[name] = error.message
    return found

"""Rows for `whygrad.ops.indexing`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything
from whygrad.ops.indexing import element_at, slice_at

X = anything(3, 4)


def _at_a_computed_place(tf, x):
    one = tf.argmax(x[0, :, 0, 0] * 0.0 + [0.0, 1.0])
    return x[one, None, ..., -one, 1:]


CASES = [
    Case(
        "read_variable",
        lambda tf, x: x * tf.Variable([1.0, 2.0], dtype=x.dtype).read_value(),
        (anything(2),),
        compiled=False,  # it makes a variable at each call
    ),
    Case("getitem", lambda tf, x: x[1:, ::-1], (X,), complex=True),
    Case("getitem int", lambda tf, x: x[-1], (X,)),
    Case("getitem element", lambda tf, x: x[1, -2], (X,)),
    Case("getitem ellipsis and newaxis", lambda tf, x: x[None, ..., tf.newaxis, 1], (anything(2, 3, 4),)),
    Case("getitem steps", lambda tf, x: x[::2, 3:0:-2], (X,)),
    Case("getitem empty", lambda tf, x: x[2:1], (X,)),
    Case("getitem past the end", lambda tf, x: x[1:100, -100:2], (X,)),
    Case("getitem of tensors", lambda tf, x: x[tf.constant(1), tf.constant(0) : tf.constant(3) : tf.constant(2)], (X,)),
    Case("getitem up to a variable", lambda tf, x: x[1, : tf.Variable(3)], (X,), compiled=False),
    Case("getitem at computed places", lambda tf, x: x[..., tf.argmax(x[0] * 0.0 + [1.0, 3.0, 2.0, 0.0])], (X,)),
    Case(
        "getitem at several computed places",
        lambda tf, x: _at_a_computed_place(tf, x),
        (anything(3, 2, 3, 4),),
    ),
    Case("element_at", lambda tf, x: element_at(x, tf.constant(-1), 1), (X,), complex=True, tensorflow=False),
    Case("slice_at", lambda tf, x: slice_at(x, tf.constant([1, 0]), (2, 3)), (X,), tensorflow=False),
    Case("getitem of NumPy ints", lambda tf, x: x[np.int64(1), np.uint8(1) : np.array(3)], (X,)),
    Case("getitem list", lambda tf, x: x[[1, 2]], (X,)),
    Case("getitem nothing", lambda tf, x: x[()], (X,)),
    Case("getitem scalar", lambda tf, x: x[None, ...], (anything(),)),
    Case("getitem mask", lambda tf, x: x[x > 0.0], (X,), compiled=False),
    Case("getitem mask of rows", lambda tf, x: x[np.array([True, False, True])], (X,)),
    Case("loop over slices", lambda tf, x: sum(x[i] * x[i] for i in range(3)), (X,)),
    Case("loop over elements", lambda tf, x: sum(x[i, j] * x[j, i] for i in range(3) for j in range(3)), (X,)),
    Case("slice", lambda tf, x: tf.slice(x, [0, 1], [2, -1]), (X,), complex=True),
    Case("slice empty", lambda tf, x: tf.slice(x, [3, 0], [0, 4]), (X,)),
    Case(
        "slice from a computed place",
        lambda tf, x: tf.slice(x, tf.cast(tf.stack([x[0, 0] * 0.0 + 1.0, 2.0 + 0.0 * x[0, 0]]), tf.int32), [2, 2]),
        (X,),
    ),
    Case("slice of int64", lambda tf, x: tf.slice(x, tf.constant([0, 1], tf.int64), [2, 2]), (X,)),
    Case("strided_slice", lambda tf, x: tf.strided_slice(x, [0, 3], [3, 0], [2, -1]), (X,), complex=True),
    Case("strided_slice masks", lambda tf, x: tf.strided_slice(x, [5, 1], [7, 2], begin_mask=1, end_mask=3), (X,)),
    Case("strided_slice shrink", lambda tf, x: tf.strided_slice(x, [-1, 1], [0, 3], shrink_axis_mask=1), (X,)),
    Case(
        "strided_slice ellipsis and new axis",
        lambda tf, x: tf.strided_slice(x, [0, 0, 1], [0, 0, 3], ellipsis_mask=1, new_axis_mask=2),
        (X,),
    ),
    Case("gather", lambda tf, x: tf.gather(x, [2, 0, 2]), (X,), complex=True),
    Case("gather without batches", lambda tf, x: tf.gather(x, [0, 1], axis=1, batch_dims=None), (X,)),
    Case("gather one", lambda tf, x: tf.gather(x, 1), (X,)),
    Case("gather grid", lambda tf, x: tf.gather(x, [[0, 2], [1, 1]]), (X,)),
    Case("gather twice", lambda tf, x: tf.gather(x, [0, 1]) * tf.gather(x, [1, 1]), (X,)),
    Case("gather and dense", lambda tf, x: tf.gather(x, [0, 1])[:, :1] * x[:2], (X,)),
    Case("gather of gather", lambda tf, x: tf.gather(tf.gather(x, [2, 1]), [1, 1, 0]), (X,)),
    Case("gather nothing", lambda tf, x: tf.gather(x, tf.zeros([0], tf.int32)), (X,)),
    Case("gather from nothing", lambda tf, x: tf.gather(x, tf.zeros([0], tf.int32)), (anything(0, 3),)),
    Case("gather axis", lambda tf, x: tf.gather(x, [3, 0, 3], axis=1), (X,), complex=True),
    Case("gather last axis", lambda tf, x: tf.gather(x, [[1, 0]], axis=-1), (anything(2, 3, 2),)),
    Case("gather middle axis", lambda tf, x: tf.gather(x, [1, 1], axis=1), (anything(2, 3, 2),)),
    Case("gather axis -rank", lambda tf, x: tf.gather(x, [1, 1], axis=-2), (X,)),
    Case("gather axis tensor", lambda tf, x: tf.gather(x, [1, 1], axis=tf.constant(0)), (X,)),
    Case("gather batch", lambda tf, x: tf.gather(x, [[3, 0], [1, 1], [2, 0]], batch_dims=1), (X,), complex=True),
    Case(
        "gather batch and axis",
        lambda tf, x: tf.gather(x, [[1, 0], [1, 1]], axis=2, batch_dims=1),
        (anything(2, 3, 2, 2),),
    ),
    Case(
        "gather negative batch_dims",
        lambda tf, x: tf.gather(x, [[3, 0], [1, 1], [2, 0]], axis=-1, batch_dims=-1),
        (X,),
    ),
    Case(
        "gather two batch axes", lambda tf, x: tf.gather(x, [[1, 0, 1], [0, 0, 1]], batch_dims=2), (anything(2, 3, 2),)
    ),
    Case("gather axis 0 with batch_dims", lambda tf, x: tf.gather(x, [[0], [1], [1]], axis=0, batch_dims=1), (X,)),
    Case("gather int16", lambda tf, x: tf.gather(x, tf.constant([1, 1], tf.int16)), (X,)),
    Case("gather_nd", lambda tf, x: tf.gather_nd(x, [[0, 1], [2, 3], [0, 1]]), (X,), complex=True),
    Case("gather_nd rows", lambda tf, x: tf.gather_nd(x, [[0], [2], [0]]), (X,)),
    Case("gather_nd grid of rows", lambda tf, x: tf.gather_nd(x, [[[0], [2]]]), (X,)),
    # TensorFlow computes these two, but raises when their gradient is taken.
    Case("gather_nd one", lambda tf, x: tf.gather_nd(x, [1, 2]), (X,), tensorflow=False),
    Case("gather_nd whole", lambda tf, x: tf.gather_nd(x, tf.zeros([2, 0], tf.int32)), (X,), tensorflow=False),
    Case("gather_nd nothing", lambda tf, x: tf.gather_nd(x, tf.zeros([0, 2], tf.int32)), (X,)),
    Case(
        "gather_nd batch", lambda tf, x: tf.gather_nd(x, [[[0], [2]], [[1], [1]]], batch_dims=1), (anything(2, 3, 2),)
    ),
    Case(
        "gather_nd ignoring",
        lambda tf, x: tf.gather_nd(x, [[0, 9], [1, 1]], bad_indices_policy="IGNORE"),
        (X,),
        order=1,
    ),
    Case("boolean_mask", lambda tf, x: tf.boolean_mask(x, [True, False, True]), (X,), complex=True),
    Case("boolean_mask of elements", lambda tf, x: tf.boolean_mask(x, np.arange(12).reshape(3, 4) % 3 == 0), (X,)),
    Case("boolean_mask axis", lambda tf, x: tf.boolean_mask(x, [True, False, True, True], axis=1), (X,)),
    Case("boolean_mask of ints", lambda tf, x: tf.boolean_mask(x, [1, 0, 2]), (X,)),
    Case("boolean_mask nothing", lambda tf, x: tf.boolean_mask(x, [False] * 3), (X,)),
    Case("scatter_nd", lambda tf, x: tf.scatter_nd([[1], [3], [1]], x, [5, 4]), (X,), complex=True),
    Case("scatter_nd elements", lambda tf, x: tf.scatter_nd([[0, 1], [1, 0], [0, 1]], x, [2, 2]), (anything(3),)),
    Case("scatter_nd nothing", lambda tf, x: tf.scatter_nd(tf.zeros([0, 1], tf.int32), x, [3, 4]), (anything(0, 4),)),
    Case(
        "scatter_nd ignoring",
        lambda tf, x: tf.scatter_nd([[7], [1], [-1]], x, [5, 4], bad_indices_policy="IGNORE"),
        (X,),
        tensorflow=False,  # TensorFlow's gradient does not know of the policy and raises
    ),
    Case(
        "tensor_scatter_nd_update",
        lambda tf, x, u: tf.tensor_scatter_nd_update(x, [[2], [0]], u),
        (X, anything(2, 4)),
        complex=True,
    ),
    Case(
        "tensor_scatter_nd_update elements",
        lambda tf, x, u: tf.tensor_scatter_nd_update(x, [[2, 1], [0, 3]], u),
        (X, anything(2)),
    ),
    Case(  # which of the two is written last is left to chance in TensorFlow's text; its gradient goes to both
        "tensor_scatter_nd_update twice",
        lambda tf, x, u: tf.tensor_scatter_nd_update(x, [[1], [1]], u),
        (anything(3), anything(2)),
        order=0,
    ),
    Case(
        "tensor_scatter_nd_update nothing",
        lambda tf, x, u: tf.tensor_scatter_nd_update(x, tf.zeros([0, 1], tf.int32), u),
        (X, anything(0, 4)),
    ),
    Case(
        "tensor_scatter_nd_add",
        lambda tf, x, u: tf.tensor_scatter_nd_add(x, [[2], [2]], u),
        (X, anything(2, 4)),
        complex=True,
    ),
    Case(
        "tensor_scatter_nd_sub",
        lambda tf, x, u: tf.tensor_scatter_nd_sub(x, [[2, 1], [2, 1]], u),
        (X, anything(2)),
        complex=True,
    ),
    Case(
        "tensor_scatter_nd_max", lambda tf, x, u: tf.tensor_scatter_nd_max(x, [[2], [2], [0]], u), (X, anything(3, 4))
    ),
    Case("tensor_scatter_nd_min", lambda tf, x, u: tf.tensor_scatter_nd_min(x, [[2, 1], [2, 1]], u), (X, anything(2))),
    Case(
        "tensor_scatter_nd_max ties",
        lambda tf, x, u: tf.tensor_scatter_nd_max(x, [[0], [0], [1]], u),
        (np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 2.0])),
        order=0,
    ),
    Case(
        "dynamic_partition",
        lambda tf, x: [i * part for i, part in enumerate(tf.dynamic_partition(x, [2, 0, 2], 4), 1)],
        (X,),
        complex=True,
    ),
    Case("dynamic_partition elements", lambda tf, x: tf.dynamic_partition(x, [[0, 1, 0, 1]] * 3, 2)[1], (X,)),
    Case("dynamic_partition whole", lambda tf, x: tf.dynamic_partition(x, 1, 2), (X,)),
    Case(
        "dynamic_partition nothing",
        lambda tf, x: tf.dynamic_partition(x, tf.zeros([0], tf.int32), 2),
        (anything(0, 2),),
    ),
    Case(
        "dynamic_stitch",
        lambda tf, x, y: tf.dynamic_stitch([[0, 3, 1], 2], [x, y]),
        (anything(3, 4), anything(4)),
        complex=True,
    ),
    Case(
        "dynamic_stitch grid",
        lambda tf, x, y: tf.dynamic_stitch([[[0, 1], [2, 3]], [4]], [x, y]),
        (anything(2, 2, 3), anything(1, 3)),
    ),
    Case("dynamic_stitch twice", lambda tf, x: tf.dynamic_stitch([[0, 1, 0]], [x]), (anything(3),), order=0),
    Case("embedding_lookup", lambda tf, x: tf.nn.embedding_lookup(x, [[0, 2], [2, 1]]), (X,)),
    Case("embedding_lookup max_norm", lambda tf, x: tf.nn.embedding_lookup(x, [0, 2, 0], max_norm=1.5), (X,)),
    Case("embedding_lookup max_norm all", lambda tf, x: tf.nn.embedding_lookup(x, 1, max_norm=0.5), (anything(3),)),
    Case(
        "embedding_lookup of zeros",
        lambda tf, x: tf.nn.embedding_lookup(x, [0, 1], max_norm=1.5),
        (np.zeros((2, 3)),),
        order=0,
    ),
    Case(
        "embedding_lookup in parts",
        lambda tf, x, y: tf.nn.embedding_lookup([x, y], [[0, 4], [3, 2]]),
        (anything(3, 2), anything(2, 2)),
    ),
    Case("invert_permutation", lambda tf: tf.math.invert_permutation([2, 0, 3, 1]), (), order=0),
]


def _x(tf):
    return tf.reshape(tf.constant([float(i) for i in range(12)]), (3, 4))


BAD_INPUT = [
    BadInput("x[5]", lambda tf: _x(tf)[5], "slice index 5 of dimension 0 out of bounds."),
    BadInput("x[-4]", lambda tf: _x(tf)[-4], "slice index -1 of dimension 0 out of bounds."),
    BadInput("x[0, 7]", lambda tf: _x(tf)[0, 7], "slice index 7 of dimension 1 out of bounds."),
    BadInput("x[..., 7]", lambda tf: _x(tf)[..., 7], "slice index 7 of dimension 1 out of bounds."),
    BadInput("x[0, 0, 0]", lambda tf: _x(tf)[0, 0, 0], "Index out of range using input dim 2; input has only 2 dims"),
    BadInput("x[..., ...]", lambda tf: _x(tf)[..., ...], "Multiple ellipses in slice spec not allowed"),
    BadInput("x[::0]", lambda tf: _x(tf)[::0], "strides[0] must be non-zero"),
    BadInput("scalar[0]", lambda tf: tf.constant(3.0)[0], "Attempting to slice scalar input."),
    BadInput("x[1.0]", lambda tf: _x(tf)[1.0], "tensors are valid indices, got 1.0", error=TypeError),
    BadInput("x[:2.5]", lambda tf: _x(tf)[:2.5], "tensors are valid indices, got 2.5", error=TypeError),
    BadInput("x['a']", lambda tf: _x(tf)["a"], "tensors are valid indices, got 'a'", error=TypeError),
    BadInput(
        "x[tensor of ints]", lambda tf: _x(tf)[tf.constant([0, 1])], "tensors are valid indices, got", error=TypeError
    ),
    BadInput("x[float tensor]", lambda tf: _x(tf)[tf.constant(1.0)], "tensors are valid indices, got", error=TypeError),
    BadInput("x[True]", lambda tf: _x(tf)[True], "mask cannot be scalar.", error=ValueError),
    BadInput("x[True, False]", lambda tf: _x(tf)[True, False], "Value for attr 'Index' of bool"),
    BadInput(
        "x[mask of another size]",
        lambda tf: _x(tf)[tf.constant([True, False])],
        "Shapes (3,) and (2,) are incompatible",
        error=ValueError,
    ),
    BadInput("slice size", lambda tf: tf.slice(_x(tf), [0, 1], [2, 9]), "Expected size[1] in [0, 3], but got 9"),
    BadInput("slice begin", lambda tf: tf.slice(_x(tf), [0, -1], [2, 1]), "Expected begin[1] in [0, 4], but got -1"),
    BadInput(
        "slice rank",
        lambda tf: tf.slice(_x(tf), [0], [2]),
        "Expected begin and size arguments to be 1-D tensors of size 2, but got shapes [1] and [1] instead.",
    ),
    BadInput("slice float", lambda tf: tf.slice(_x(tf), [0.0, 0.0], [1.0, 1.0]), "Value for attr 'Index' of float"),
    BadInput(
        "strided_slice sizes",
        lambda tf: tf.strided_slice(_x(tf), [0, 0], [2]),
        "Expected begin, end, and strides to be 1D equal size tensors, but got shapes [2], [1], and [2] instead.",
    ),
    BadInput(
        "strided_slice stride",
        lambda tf: tf.strided_slice(_x(tf), [1], [2], [-1], shrink_axis_mask=1),
        "only stride 1 allowed on non-range indexing.",
    ),
    BadInput("gather outside", lambda tf: tf.gather(_x(tf), [0, 7]), "indices[1] = 7 is not in [0, 3)"),
    BadInput("gather negative", lambda tf: tf.gather(_x(tf), [[0], [-1]]), "indices[1,0] = -1 is not in [0, 3)"),
    BadInput("gather scalar outside", lambda tf: tf.gather(_x(tf), 7), "indices = 7 is not in [0, 3)"),
    BadInput("gather along axis outside", lambda tf: tf.gather(_x(tf), [7], axis=1), "indices[0] = 7 is not in [0, 4)"),
    BadInput("gather axis", lambda tf: tf.gather(_x(tf), [0], axis=2), "Shape must be at least rank 3 but is rank 2"),
    BadInput(
        "gather float", lambda tf: tf.gather(_x(tf), [0.0]), "Value for attr 'Tindices' of float is not in the list"
    ),
    BadInput("gather scalar", lambda tf: tf.gather(3.0, [0]), "params must be at least 1 dimensional"),
    BadInput(
        "gather batch sizes",
        lambda tf: tf.gather(_x(tf), [[0], [1]], batch_dims=1),
        "params.shape[0]: 3 should be equal to indices.shape[0]: 2",
    ),
    BadInput(
        "gather batch_dims",
        lambda tf: tf.gather(_x(tf), [0], axis=1, batch_dims=-2),
        "Expected batch_dims in the range [-1, 1], but got -2",
    ),
    BadInput(
        "gather_nd outside",
        lambda tf: tf.gather_nd(_x(tf), [[[0, 1]], [[2, 8]]]),
        "indices[1,0] = [2, 8] does not index into param shape [3,4]",
    ),
    BadInput(
        "gather_nd depth",
        lambda tf: tf.gather_nd(_x(tf), [[0, 1, 2]]),
        "index innermost dimension length must be <= params rank; saw: 3 vs. 2",
    ),
    BadInput("gather_nd scalar", lambda tf: tf.gather_nd(_x(tf), 1), "indices must be at least a vector"),
    BadInput(
        "gather_nd from nothing",
        lambda tf: tf.gather_nd(tf.zeros([0, 3]), [[0]]),
        "Requested more than 0 entries, but params is empty.",
    ),
    BadInput(
        "gather_nd batch_dims",
        lambda tf: tf.gather_nd(_x(tf), [[0], [1], [2]], batch_dims=2),
        "Argument `batch_dims` = 2 must be less than rank(`indices`) = 2",
        error=ValueError,
    ),
    BadInput(
        "boolean_mask shape",
        lambda tf: tf.boolean_mask(_x(tf), [True]),
        "Shapes (3,) and (1,) are incompatible",
        error=ValueError,
    ),
    BadInput(
        "boolean_mask scalar", lambda tf: tf.boolean_mask(_x(tf), True), "mask cannot be scalar.", error=ValueError
    ),
    BadInput(
        "scatter_nd outside",
        lambda tf: tf.scatter_nd([[7]], [5.0], [5]),
        "indices[0] = [7] does not index into shape [5]",
    ),
    BadInput(
        "scatter_nd count",
        lambda tf: tf.scatter_nd([[0]], [5.0, 6.0], [5]),
        "Dimensions [0,1) of indices[shape=[1,1]] must match dimensions [0,1) of updates[shape=[2]]",
    ),
    BadInput(
        "scatter_nd rows",
        lambda tf: tf.scatter_nd([[0]], [[5.0, 6.0]], [5]),
        "Dimensions [1,1) of input[shape=[5]] must match dimensions [1,2) of updates[shape=[1,2]]",
    ),
    BadInput("scatter_nd shape", lambda tf: tf.scatter_nd([[0]], [5.0], 5), "Shape must be a vector"),
    BadInput(
        "scatter_nd into nothing",
        lambda tf: tf.scatter_nd([[0]], [1.0], [0]),
        "Indices and updates specified for empty output",
    ),
    BadInput(
        "scatter_nd scalar", lambda tf: tf.scatter_nd([0], 5.0, [5]), "Updates shape must have rank at least one."
    ),
    BadInput("scatter_nd size", lambda tf: tf.scatter_nd([[0]], [5.0], [-2]), "Dimension -2 must be >= 0"),
    BadInput(
        "tensor_scatter_nd_update outside",
        lambda tf: tf.tensor_scatter_nd_update(_x(tf), [[0, 9]], [99.0]),
        "indices[0] = [0, 9] does not index into shape [3,4]",
    ),
    BadInput(
        "tensor_scatter_nd_update inner",
        lambda tf: tf.tensor_scatter_nd_update(_x(tf), [[0]], [99.0]),
        "Inner dimensions of output shape must match inner dimensions of updates shape. Output: [3,4] updates: [1]",
    ),
    BadInput(
        "tensor_scatter_nd_update outer",
        lambda tf: tf.tensor_scatter_nd_update(_x(tf), [[0, 0]], [1.0, 2.0]),
        "Outer dimensions of indices and update must match. Indices shape: [1,2], updates shape:[2]",
    ),
    BadInput(
        "tensor_scatter_nd_update dtype",
        lambda tf: tf.tensor_scatter_nd_update(_x(tf), [[0, 0]], tf.constant([1])),
        "cannot compute TensorScatterUpdate as input #2(zero-based) was expected to be a float tensor but is a int32 tensor",
    ),
    BadInput(
        "tensor_scatter_nd_add of bool",
        lambda tf: tf.tensor_scatter_nd_add([True], [[0]], [True]),
        "Could not find device for node",
        error="NotFoundError",
    ),
    BadInput(
        "dynamic_partition outside",
        lambda tf: tf.dynamic_partition(_x(tf), [[0, 3, 0, 1]] * 3, 2),
        "partitions[0,1] = 3 is not in [0, 2)",
    ),
    BadInput(
        "dynamic_partition shape",
        lambda tf: tf.dynamic_partition(_x(tf), [0, 1], 2),
        "data.shape must start with partitions.shape, got data.shape = [3,4], partitions.shape = [2]",
    ),
    BadInput(
        "dynamic_partition dtype",
        lambda tf: tf.dynamic_partition(_x(tf), tf.constant([0, 1, 0], tf.int64), 2),
        "was expected to be a int32 tensor but is a int64 tensor",
    ),
    BadInput(
        "dynamic_partition count", lambda tf: tf.dynamic_partition(_x(tf), [0, 0, 0], 0), "must be at least minimum 1"
    ),
    BadInput(
        "dynamic_stitch shape",
        lambda tf: tf.dynamic_stitch([[0, 1], [1]], [[1.0], [3.0]]),
        "data[0].shape = [1] does not start with indices[0].shape = [2]",
    ),
    BadInput(
        "dynamic_stitch tails",
        lambda tf: tf.dynamic_stitch([[0], [1]], [[1.0], [[3.0]]]),
        "Need data[0].shape[1:] = data[1].shape[1:], got data[0].shape = [1], data[1].shape = [1,1]",
    ),
    BadInput(
        "dynamic_stitch count",
        lambda tf: tf.dynamic_stitch([[0]], [[1.0], [3.0]]),
        "with length 2 must match length 1 of argument 'indices'",
        error=ValueError,
    ),
    BadInput("dynamic_stitch negative", lambda tf: tf.dynamic_stitch([[-1]], [[1.0]]), "indices[0] is out of range"),
    BadInput(
        "embedding_lookup outside", lambda tf: tf.nn.embedding_lookup(_x(tf), [0, 7]), "indices[1] = 7 is not in [0, 3)"
    ),
    BadInput(
        "embedding_lookup nowhere", lambda tf: tf.nn.embedding_lookup(None, [0]), "params must be specified", ValueError
    ),
    BadInput(
        "embedding_lookup in no part", lambda tf: tf.nn.embedding_lookup([], [0]), "Need at least one param", ValueError
    ),
    BadInput(
        "embedding_lookup outside of parts",
        lambda tf: tf.nn.embedding_lookup([_x(tf), _x(tf)], [0, 9]),
        "partitions[1] = 3 is not in [0, 2)",
    ),
    BadInput(
        "invert_permutation twice", lambda tf: tf.math.invert_permutation([2, 0, 0]), "0 is duplicated in the input."
    ),
    BadInput(
        "invert_permutation outside", lambda tf: tf.math.invert_permutation([2, 0, 5]), "5 is not between 0 and 3"
    ),
    BadInput("invert_permutation rank", lambda tf: tf.math.invert_permutation([[1, 0]]), "expects a 1D vector."),
]

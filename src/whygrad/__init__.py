"""whygrad: reverse-mode differentiation with GradientTape's API, where every gradient, None and error says its reason."""

from __future__ import annotations

from whygrad import (
    autodiff,
    bitwise,
    config,
    debugging,
    dtypes,
    errors,
    experimental,
    image,
    linalg,
    math,
    nest,
    nn,
    random,
    signal,
    test,
    testing,
    train,
    version,
    why,
)
from whygrad._version import __version__
from whygrad.modules.checkpoint import CheckpointWarning
from whygrad.modules.module import Module
from whygrad.ops.clipping import clip_by_average_norm, clip_by_global_norm, clip_by_norm
from whygrad.ops.control import case, cond, foldl, foldr, map_fn, scan, switch_case, vectorized_map, while_loop
from whygrad.ops.counting import histogram_fixed_width, histogram_fixed_width_bins
from whygrad.ops.creation import constant, eye, fill, is_tensor, linspace, one_hot, ones, ones_like, zeros, zeros_like
from whygrad.ops.creation import range_ as range
from whygrad.ops.cumulative import cumsum
from whygrad.ops.debugging import Assert, assert_equal, assert_greater, assert_less, assert_rank
from whygrad.ops.elementwise import (
    abs,
    acos,
    acosh,
    add,
    add_n,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cast,
    clip_by_value,
    complex,
    cos,
    cosh,
    divide,
    equal,
    exp,
    floor,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    multiply,
    negative,
    not_equal,
    pow,
    realdiv,
    round,
    saturate_cast,
    scalar_mul,
    sigmoid,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    truediv,
    truncatediv,
    truncatemod,
    where,
)
from whygrad.ops.indexing import (
    boolean_mask,
    dynamic_partition,
    dynamic_stitch,
    gather,
    gather_nd,
    scatter_nd,
    strided_slice,
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from whygrad.ops.indexing import slice_ as slice
from whygrad.ops.initializers import Constant as constant_initializer
from whygrad.ops.initializers import Ones as ones_initializer
from whygrad.ops.initializers import RandomNormal as random_normal_initializer
from whygrad.ops.initializers import RandomUniform as random_uniform_initializer
from whygrad.ops.initializers import Zeros as zeros_initializer
from whygrad.ops.linalg_decompositions import eig, eigvals
from whygrad.ops.linalg_norms import norm
from whygrad.ops.linalg_products import einsum, matmul, tensordot
from whygrad.ops.patches import extract_volume_patches
from whygrad.ops.printing import print_ as print
from whygrad.ops.reductions import (
    argmax,
    argmin,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from whygrad.ops.scopes import (
    control_dependencies,
    device,
    executing_eagerly,
    get_current_name_scope,
    get_logger,
    get_static_value,
    group,
    init_scope,
    inside_function,
    name_scope,
    no_op,
    timestamp,
)
from whygrad.ops.scopes import tuple_ as tuple
from whygrad.ops.shaping import (
    batch_to_space,
    bitcast,
    broadcast_dynamic_shape,
    broadcast_static_shape,
    broadcast_to,
    concat,
    ensure_shape,
    expand_dims,
    guarantee_const,
    identity,
    identity_n,
    meshgrid,
    pad,
    parallel_stack,
    rank,
    repeat,
    required_space_to_batch_paddings,
    reshape,
    reverse,
    reverse_sequence,
    roll,
    sequence_mask,
    shape,
    shape_n,
    size,
    space_to_batch,
    space_to_batch_nd,
    split,
    squeeze,
    stack,
    stop_gradient,
    tile,
    transpose,
    unstack,
)
from whygrad.ops.sorting import argsort, searchsorted, sort, unique, unique_with_counts, unravel_index
from whygrad.ops.tensor_array import TensorArray
from whygrad.ops.variables import read_value as _
from whygrad.tape.custom_gradient import custom_gradient, grad_pass_through, recompute_grad
from whygrad.tape.function import function
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
from whygrad.tape.graphs import AggregationMethod, gradients, hessians
from whygrad.tape.python_function import numpy_function, py_function
from whygrad.values.conversion import convert_to_tensor, register_tensor_conversion_function
from whygrad.values.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from whygrad.values.dtypes import bool_ as bool
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.shapes import TensorShape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable, VariableAggregation, VariableSynchronization
from whygrad.view import ask as _ask
from whygrad.view.notice import BroadcastWarning, EmptyGradientWarning, GradientWarning, NoGradientWarning
from whygrad.why.trace import tracing

newaxis = None

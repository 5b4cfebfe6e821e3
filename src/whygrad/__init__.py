"""whygrad: reverse-mode differentiation with GradientTape's API, where every gradient, None and error says its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from whygrad._version import __version__
from whygrad.ops.creation import constant, eye, fill, is_tensor, linspace, one_hot, ones, ones_like, zeros, zeros_like
from whygrad.ops.creation import range_ as range
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
from whygrad.ops.linalg_products import einsum, matmul, tensordot
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
from whygrad.ops.variables import read_value as _
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
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
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable, VariableAggregation, VariableSynchronization
from whygrad.view import hooks as _hooks

if TYPE_CHECKING:  # as `_LATE` says
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
    from whygrad.modules.checkpoint import CheckpointWarning
    from whygrad.modules.module import Module
    from whygrad.ops.clipping import clip_by_average_norm, clip_by_global_norm, clip_by_norm
    from whygrad.ops.control import case, cond, foldl, foldr, map_fn, scan, switch_case, vectorized_map, while_loop
    from whygrad.ops.counting import histogram_fixed_width, histogram_fixed_width_bins
    from whygrad.ops.cumulative import cumsum
    from whygrad.ops.debugging import Assert, assert_equal, assert_greater, assert_less, assert_rank
    from whygrad.ops.initializers import Constant as constant_initializer
    from whygrad.ops.initializers import Ones as ones_initializer
    from whygrad.ops.initializers import RandomNormal as random_normal_initializer
    from whygrad.ops.initializers import RandomUniform as random_uniform_initializer
    from whygrad.ops.initializers import Zeros as zeros_initializer
    from whygrad.ops.linalg_decompositions import eig, eigvals
    from whygrad.ops.linalg_norms import norm
    from whygrad.ops.patches import extract_volume_patches
    from whygrad.ops.printing import print_ as print
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
    from whygrad.ops.sorting import argsort, searchsorted, sort, unique, unique_with_counts, unravel_index
    from whygrad.ops.tensor_array import TensorArray
    from whygrad.tape.custom_gradient import custom_gradient, grad_pass_through, recompute_grad
    from whygrad.tape.function import function
    from whygrad.tape.graphs import AggregationMethod, gradients, hessians
    from whygrad.tape.python_function import numpy_function, py_function
    from whygrad.values.spec import TensorSpec
    from whygrad.view.notice import (
        BroadcastWarning,
        EmptyGradientWarning,
        FunctionWarning,
        GradientWarning,
        NoGradientWarning,
        RetracingWarning,
        SideEffectWarning,
    )
    from whygrad.why.trace import tracing

# Loaded when first asked for: what a program can do without that takes a gradient. By module, the names as they are imported.
_LATE = {
    "whygrad": [
        "autodiff",
        "bitwise",
        "config",
        "debugging",
        "dtypes",
        "errors",
        "experimental",
        "image",
        "linalg",
        "math",
        "nest",
        "nn",
        "random",
        "signal",
        "test",
        "testing",
        "train",
        "version",
        "why",
    ],
    "whygrad.modules.checkpoint": ["CheckpointWarning"],
    "whygrad.modules.module": ["Module"],
    "whygrad.ops.clipping": ["clip_by_average_norm", "clip_by_global_norm", "clip_by_norm"],
    "whygrad.ops.control": [
        "case",
        "cond",
        "foldl",
        "foldr",
        "map_fn",
        "scan",
        "switch_case",
        "vectorized_map",
        "while_loop",
    ],
    "whygrad.ops.counting": ["histogram_fixed_width", "histogram_fixed_width_bins"],
    "whygrad.ops.cumulative": ["cumsum"],
    "whygrad.ops.debugging": ["Assert", "assert_equal", "assert_greater", "assert_less", "assert_rank"],
    "whygrad.ops.initializers": [
        "Constant as constant_initializer",
        "Ones as ones_initializer",
        "RandomNormal as random_normal_initializer",
        "RandomUniform as random_uniform_initializer",
        "Zeros as zeros_initializer",
    ],
    "whygrad.ops.linalg_decompositions": ["eig", "eigvals"],
    "whygrad.ops.linalg_norms": ["norm"],
    "whygrad.ops.patches": ["extract_volume_patches"],
    "whygrad.ops.printing": ["print_ as print"],
    "whygrad.ops.scopes": [
        "control_dependencies",
        "device",
        "executing_eagerly",
        "get_current_name_scope",
        "get_logger",
        "get_static_value",
        "group",
        "init_scope",
        "inside_function",
        "name_scope",
        "no_op",
        "timestamp",
        "tuple_ as tuple",
    ],
    "whygrad.ops.sorting": ["argsort", "searchsorted", "sort", "unique", "unique_with_counts", "unravel_index"],
    "whygrad.ops.tensor_array": ["TensorArray"],
    "whygrad.tape.custom_gradient": ["custom_gradient", "grad_pass_through", "recompute_grad"],
    "whygrad.tape.function": ["function"],
    "whygrad.tape.graphs": ["AggregationMethod", "gradients", "hessians"],
    "whygrad.tape.python_function": ["numpy_function", "py_function"],
    "whygrad.values.spec": ["TensorSpec"],
    "whygrad.view.notice": [
        "BroadcastWarning",
        "EmptyGradientWarning",
        "FunctionWarning",
        "GradientWarning",
        "NoGradientWarning",
        "RetracingWarning",
        "SideEffectWarning",
    ],
    "whygrad.why.trace": ["tracing"],
}

newaxis = None

__all__ = [
    "AggregationMethod",
    "Assert",
    "BroadcastWarning",
    "CheckpointWarning",
    "DType",
    "EmptyGradientWarning",
    "FunctionWarning",
    "GradientTape",
    "GradientWarning",
    "IndexedSlices",
    "Module",
    "NoGradientWarning",
    "RetracingWarning",
    "SideEffectWarning",
    "Tensor",
    "TensorArray",
    "TensorShape",
    "TensorSpec",
    "UnconnectedGradients",
    "Variable",
    "VariableAggregation",
    "VariableSynchronization",
    "abs",
    "acos",
    "acosh",
    "add",
    "add_n",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "asin",
    "asinh",
    "assert_equal",
    "assert_greater",
    "assert_less",
    "assert_rank",
    "atan",
    "atan2",
    "atanh",
    "autodiff",
    "batch_to_space",
    "bfloat16",
    "bitcast",
    "bitwise",
    "bool",
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "case",
    "cast",
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "complex",
    "complex64",
    "complex128",
    "concat",
    "cond",
    "config",
    "constant",
    "constant_initializer",
    "control_dependencies",
    "convert_to_tensor",
    "cos",
    "cosh",
    "cumsum",
    "custom_gradient",
    "debugging",
    "device",
    "divide",
    "double",
    "dtypes",
    "dynamic_partition",
    "dynamic_stitch",
    "eig",
    "eigvals",
    "einsum",
    "ensure_shape",
    "equal",
    "errors",
    "executing_eagerly",
    "exp",
    "expand_dims",
    "experimental",
    "extract_volume_patches",
    "eye",
    "fill",
    "float16",
    "float32",
    "float64",
    "floor",
    "foldl",
    "foldr",
    "function",
    "gather",
    "gather_nd",
    "get_current_name_scope",
    "get_logger",
    "get_static_value",
    "grad_pass_through",
    "gradients",
    "greater",
    "greater_equal",
    "group",
    "guarantee_const",
    "half",
    "hessians",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "identity",
    "identity_n",
    "image",
    "init_scope",
    "inside_function",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_tensor",
    "less",
    "less_equal",
    "linalg",
    "linspace",
    "logical_and",
    "logical_not",
    "logical_or",
    "map_fn",
    "math",
    "matmul",
    "maximum",
    "meshgrid",
    "minimum",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_op",
    "norm",
    "not_equal",
    "numpy_function",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "pad",
    "parallel_stack",
    "pow",
    "print",
    "py_function",
    "random",
    "random_normal_initializer",
    "random_uniform_initializer",
    "range",
    "rank",
    "realdiv",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "register_tensor_conversion_function",
    "repeat",
    "required_space_to_batch_paddings",
    "reshape",
    "reverse",
    "reverse_sequence",
    "roll",
    "round",
    "saturate_cast",
    "scalar_mul",
    "scan",
    "scatter_nd",
    "searchsorted",
    "sequence_mask",
    "shape",
    "shape_n",
    "sigmoid",
    "sign",
    "signal",
    "sin",
    "sinh",
    "size",
    "slice",
    "sort",
    "space_to_batch",
    "space_to_batch_nd",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "string",
    "subtract",
    "switch_case",
    "tan",
    "tanh",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensordot",
    "test",
    "testing",
    "tile",
    "timestamp",
    "tracing",
    "train",
    "transpose",
    "truediv",
    "truncatediv",
    "truncatemod",
    "tuple",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique",
    "unique_with_counts",
    "unravel_index",
    "unstack",
    "vectorized_map",
    "version",
    "where",
    "while_loop",
    "why",
    "zeros",
    "zeros_initializer",
    "zeros_like",
]


if not TYPE_CHECKING:  # type checkers know every name: to them, others are mistakes
    import functools as _functools
    import importlib as _importlib
    import sys as _sys

    _places = {
        public or name: (module, name)
        for module, names in _LATE.items()
        for name, _, public in (each.partition(" as ") for each in names)
    }

    class _MissingName(AttributeError):
        """An AttributeError that says what there is instead, worked out only when it is shown: `hasattr` stays cheap."""

        def __str__(self):
            from whygrad.run.standin import missing

            return missing(self.obj.__name__, self.name)

    _MissingName.__name__ = _MissingName.__qualname__ = "AttributeError"
    _MissingName.__module__ = "builtins"

    def _missing_in(namespace, name):
        if name.startswith("_"):
            raise AttributeError(f"module {namespace.__name__!r} has no attribute {name!r}")
        raise _MissingName(name=name, obj=namespace)

    def __getattr__(name):
        if name not in _places:
            _missing_in(_sys.modules[__name__], name)
        module, inner = _places[name]
        if module == "whygrad":
            namespace = _importlib.import_module(f"whygrad.{name}")  # which makes it an attribute
            vars(namespace).setdefault("__getattr__", _functools.partial(_missing_in, namespace))
            return namespace
        value = globals()[name] = getattr(_importlib.import_module(module), inner)
        return value

    def __dir__():
        return sorted({*globals(), *_places})

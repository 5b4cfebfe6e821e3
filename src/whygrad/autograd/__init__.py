"""autograd's names and meaning: a program that is written for autograd imports `whygrad.autograd` in its place.

Functions of `whygrad.autograd.numpy` are NumPy's own, and give arrays, unless they are handed a tensor, as they are inside of a function
that is differentiated.

>>> import whygrad.autograd.numpy as np
>>> from whygrad.autograd import grad
>>> grad(lambda x: np.sum(np.array([x[0] * x[1], 1.0])))(np.array([2.0, 3.0]))
array([3., 2.])
"""

from whygrad.autograd.builtins import dict, isinstance, list, tuple, type
from whygrad.autograd.core import primitive
from whygrad.autograd.differential_operators import (
    checkpoint,
    deriv,
    elementwise_grad,
    grad,
    grad_and_aux,
    grad_named,
    hessian,
    hessian_tensor_product,
    hessian_vector_product,
    holomorphic_grad,
    jacobian,
    make_ggnvp,
    make_hvp,
    make_jvp,
    make_vjp,
    multigrad_dict,
    tensor_jacobian_product,
    value_and_grad,
    vector_jacobian_product,
)

__all__ = [
    "checkpoint", "deriv", "dict", "elementwise_grad", "grad", "grad_and_aux", "grad_named", "hessian", "hessian_tensor_product",
    "hessian_vector_product", "holomorphic_grad", "isinstance", "jacobian", "list", "make_ggnvp", "make_hvp", "make_jvp", "make_vjp",
    "multigrad_dict", "primitive", "tensor_jacobian_product", "tuple", "type", "value_and_grad", "vector_jacobian_product",
]  # fmt: skip

"""autograd's names and meaning: a program that is written for autograd imports `whygrad.autograd` in its place.

Functions of `whygrad.autograd.numpy` are NumPy's own, and give arrays, unless they are handed a tensor, as they are inside of a function
that is differentiated.

>>> import whygrad.autograd.numpy as np
>>> from whygrad.autograd import grad
>>> grad(lambda x: np.sum(np.array([x[0] * x[1], 1.0])))(np.array([2.0, 3.0]))
array([3., 2.])
"""

from whygrad.autograd.operators import (
    elementwise_grad,
    grad,
    grad_and_aux,
    hessian,
    hessian_tensor_product,
    hessian_vector_product,
    jacobian,
    make_hvp,
    make_jvp,
    make_vjp,
    tensor_jacobian_product,
    value_and_grad,
    vector_jacobian_product,
)

__all__ = [
    "elementwise_grad",
    "grad",
    "grad_and_aux",
    "hessian",
    "hessian_tensor_product",
    "hessian_vector_product",
    "jacobian",
    "make_hvp",
    "make_jvp",
    "make_vjp",
    "tensor_jacobian_product",
    "value_and_grad",
    "vector_jacobian_product",
]

"""`tf.linalg`."""

from whygrad.ops.creation import eye
from whygrad.ops.linalg_products import adjoint, cross, einsum, matmul, matrix_transpose, matvec, tensordot

"""XLA kernels of `whygrad.ops.linalg_*`.

A matrix without an inverse or a decomposition gives inf or nan: compiled code cannot raise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.engines.numpy_linalg import band_mask, band_places, in_float32

Array = Any
Labels = tuple[int, ...]


class LinalgKernels:
    """The part of the XLA engine for linear algebra."""

    jax: Any
    jnp: Any
    lax: Any

    # -- products --

    def matmul(self, a: Array, b: Array) -> Array:
        """Matrix products over the last two axes; half precision is summed in float32 and rounded once."""
        return self.jnp.matmul(self.summable(a), self.summable(b)).astype(a.dtype)

    def summable(self, x: Array) -> Array:
        """Prepare factors of a summed product: half precision becomes float32 on a CPU; accelerators accumulate in float32 anyway."""
        is_half = x.dtype.itemsize == 2 and x.dtype.kind in "fV"
        return x.astype(np.float32) if is_half and self.platform() == "cpu" else x  # type: ignore[attr-defined]

    def matrix_transpose(self, x: Array) -> Array:
        """Swap the last two axes."""
        return self.jnp.swapaxes(x, -1, -2)

    def cross_product(self, a: Array, b: Array) -> Array:
        """The cross product of vectors of three elements along the last axis."""
        return self.jnp.cross(a, b)

    def contract(self, a: Array, b: Array, *, a_labels: Labels, b_labels: Labels, labels: Labels) -> Array:
        """The product of two arrays with labelled axes, summed over the labels that both have and the result lacks.

        A label occurs once per array, and each label of `a` or `b` also occurs in the other or in the result.
        """
        both = [label for label in a_labels if label in b_labels]
        batch = [label for label in both if label in labels]
        inner = [label for label in both if label not in labels]
        dimensions = tuple(
            [tuple([[of.index(label) for label in group] for of in (a_labels, b_labels)]) for group in (inner, batch)]
        )
        product = self.lax.dot_general(self.summable(a), self.summable(b), dimensions)
        made = [*batch, *[x for x in a_labels if x not in both], *[x for x in b_labels if x not in both]]
        return product.astype(a.dtype).transpose([made.index(label) for label in labels])

    def einsum_reduce(self, x: Array, *, x_labels: Labels, labels: Labels) -> Array:
        """The diagonals of axes with the same label, summed over the labels that the result lacks."""
        distinct = tuple(dict.fromkeys(x_labels))
        if len(distinct) < len(x_labels):
            x = self.jnp.asarray(x)[_diagonals(x_labels, distinct, x.shape)]
        gone = tuple([i for i, label in enumerate(distinct) if label not in labels])
        left = [label for label in distinct if label in labels]
        return self.sum(x, gone).transpose([left.index(label) for label in labels])  # type: ignore[attr-defined]

    def einsum_spread(self, y: Array, *, x_labels: Labels, labels: Labels, shape: tuple[int, ...]) -> Array:
        """The transpose of `einsum_reduce` as a linear map: an array of `shape` with `y` on its diagonals, repeated."""
        distinct = tuple(dict.fromkeys(x_labels))
        size = dict(zip(x_labels, shape))
        kept = [label for label in distinct if label in labels]
        y = y.transpose([labels.index(label) for label in kept])
        y = y.reshape([size[label] if label in labels else 1 for label in distinct])
        if len(distinct) == len(x_labels):
            return self.jnp.broadcast_to(y, shape)
        return self.jnp.zeros(shape, y.dtype).at[_diagonals(x_labels, distinct, shape)].set(y)

    # -- diagonals --

    def matrix_diag_part(self, x: Array, *, low: int, high: int, align: str, padding: Any) -> Array:
        """The diagonals `low` to `high`, the uppermost first; short ones are padded with `padding`."""
        if low == high:
            return self.jnp.diagonal(x, low, axis1=-2, axis2=-1)
        rows, columns = x.shape[-2:]
        places, filled = band_places(rows, columns, low, high, align)
        out = self.jnp.full((*x.shape[:-2], *filled.shape), padding, x.dtype)
        return out.at[..., filled].set(x.reshape(*x.shape[:-2], rows * columns)[..., places])

    def matrix_diag(self, x: Array, *, low: int, high: int, shape: tuple[int, int], align: str, padding: Any) -> Array:
        """Matrices of `shape` that are `padding` outside the diagonals `low` to `high`."""
        batch = x.shape[: x.ndim - (1 if low == high else 2)]
        out = self.jnp.full((*batch, *shape), padding, x.dtype)
        return self.matrix_set_diag(out, x, low=low, high=high, align=align)

    def matrix_set_diag(self, x: Array, diagonal: Array, *, low: int, high: int, align: str) -> Array:
        """`x` with the diagonals `low` to `high` replaced."""
        rows, columns = x.shape[-2:]
        places, filled = band_places(rows, columns, low, high, align)
        if low == high:
            diagonal = diagonal[..., None, :]
        flat = self.jnp.reshape(x, (*x.shape[:-2], rows * columns))
        return flat.at[..., places].set(diagonal[..., filled]).reshape(x.shape)

    def matrix_band_part(self, x: Array, *, lower: int, upper: int) -> Array:
        """`x` with zeros outside a band of diagonals; a negative width keeps all."""
        return self.jnp.where(band_mask(*x.shape[-2:], lower, upper), x, np.zeros((), x.dtype))

    # -- solving --

    def matrix_inverse(self, x: Array) -> Array:
        """Inverses of matrices."""
        return self.jnp.linalg.inv(in_float32(x)).astype(x.dtype)

    def matrix_solve(self, a: Array, b: Array) -> Array:
        """The y with a @ y = b."""
        return self.jnp.linalg.solve(in_float32(a), in_float32(b)).astype(b.dtype)

    def triangular_solve(self, a: Array, b: Array, *, lower: bool, adjoint: bool) -> Array:
        """The y with a @ y = b, reading only one triangle of `a`; with `adjoint`, for a's adjoint."""
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        return self.lax.linalg.triangular_solve(
            self.jnp.broadcast_to(a, (*batch, *a.shape[-2:])),
            self.jnp.broadcast_to(b, (*batch, *b.shape[-2:])),
            left_side=True,
            lower=lower,
            transpose_a=adjoint,
            conjugate_a=adjoint,
        )

    def matrix_pinv(self, x: Array, rcond: Array) -> Array:
        """Pseudo-inverses; singular values at most `rcond` times the largest count as zero."""
        s, u, v = self.matrix_svd(x, full_matrices=False)
        s = s.real
        kept = s > (rcond * self.jnp.max(s, axis=-1, initial=0))[..., None]
        weights = self.jnp.where(kept, 1 / self.jnp.where(kept, s, 1), 0).astype(s.dtype)
        return self.jnp.matmul(v * weights[..., None, :], u.swapaxes(-1, -2).conj())

    def tridiagonal_solve(self, diagonals: Array, rhs: Array, *, perturb: bool = False) -> Array:
        """The y with T @ y = rhs, T given by its upper, main and lower diagonal (rows of `diagonals`, aligned by T's rows)."""
        if not rhs.size:
            return rhs
        if perturb:
            of = (rhs.shape, rhs.dtype)
            return self.on_host("tridiagonal_solve", diagonals, rhs, of=of, perturb=True)  # type: ignore[attr-defined]
        upper, main, lower = (diagonals[..., i, :] for i in range(3))
        return self.lax.linalg.tridiagonal_solve(lower, main, upper, rhs)

    # -- decompositions --

    def matrix_cholesky(self, x: Array) -> Array:
        """Lower triangular factors; nan for matrices that are not positive definite."""
        return self.lax.linalg.cholesky(x, symmetrize_input=False)

    def matrix_qr(self, x: Array, *, full_matrices: bool) -> tuple[Array, Array]:
        """Orthogonal and upper triangular factors."""
        q, r = self.jnp.linalg.qr(x, mode="complete" if full_matrices else "reduced")
        return q, r

    def matrix_svd(self, x: Array, *, full_matrices: bool) -> tuple[Array, Array, Array]:
        """Singular values in the dtype of x, left and right singular vectors as columns; nan where the input has nan."""
        u, s, vh = self.jnp.linalg.svd(x, full_matrices=full_matrices)
        return s.astype(x.dtype), u, vh.swapaxes(-1, -2).conj()

    def singular_values(self, x: Array) -> Array:
        """Only the singular values, in the dtype of x."""
        return self.jnp.linalg.svd(x, compute_uv=False).astype(x.dtype)

    def matrix_eigh(self, x: Array) -> tuple[Array, Array]:
        """Eigenvalues, ascending and in the dtype of x, and eigenvectors; only the lower triangle is read."""
        w, v = self.jnp.linalg.eigh(x, symmetrize_input=False)
        return w.astype(x.dtype), v

    def matrix_eigvalsh(self, x: Array) -> Array:
        """Only the eigenvalues of `matrix_eigh`."""
        return self.matrix_eigh(x)[0]

    def matrix_eig(self, x: Array) -> tuple[Array, Array]:
        """Eigenvalues and eigenvectors of any square matrices, complex."""
        wanted = np.result_type(x.dtype, np.complex64)
        return self.on_host("matrix_eig", x, of=[(x.shape[:-1], wanted), (x.shape, wanted)])  # type: ignore[attr-defined,no-any-return]

    def matrix_eigvals(self, x: Array) -> Array:
        """Only the eigenvalues of `matrix_eig`."""
        wanted = np.result_type(x.dtype, np.complex64)
        return self.on_host("matrix_eigvals", x, of=(x.shape[:-1], wanted))  # type: ignore[attr-defined]

    def matrix_lu(self, x: Array) -> tuple[Array, Array]:
        """Both triangular factors in one matrix, without the lower one's unit diagonal, and the row permutation."""
        factors, _, order = self.lax.linalg.lu(x)
        return factors, order.astype(np.int32)

    def permute_rows(self, x: Array, order: Array, *, inverse: bool) -> Array:
        """Permute the rows of matrices: row i of the result is row order[i] of x; `inverse` undoes it."""
        order = self.jnp.argsort(order, axis=-1) if inverse else order
        return self.jnp.take_along_axis(x, order[..., None], axis=-2, mode="clip")

    def matrix_determinant(self, x: Array) -> Array:
        """Determinants."""
        return self.jnp.linalg.det(in_float32(x)).astype(x.dtype)

    def log_determinant(self, x: Array) -> tuple[Array, Array]:
        """Signs of the determinants, and logarithms of their absolute values in the same dtype."""
        sign, logarithm = self.jnp.linalg.slogdet(in_float32(x))
        return sign.astype(x.dtype), logarithm.astype(x.dtype)

    # -- functions of matrices --

    def matrix_exponential(self, x: Array) -> Array:
        """The exponential of matrices."""
        return self.jax.scipy.linalg.expm(x).astype(x.dtype) if x.size else x

    def matrix_logarithm(self, x: Array) -> Array:
        """The principal logarithm of matrices."""
        return self.on_host("matrix_logarithm", x, of=(x.shape, x.dtype))  # type: ignore[attr-defined]

    def matrix_square_root(self, x: Array) -> Array:
        """The principal square root of matrices; nan for a real matrix whose root is complex."""
        return self.on_host("matrix_square_root", x, of=(x.shape, x.dtype))  # type: ignore[attr-defined]


def _diagonals(x_labels: Labels, distinct: Labels, shape: tuple[int, ...]) -> tuple[Array, ...]:
    """The elements where axes of the same label have the same index: one axis per label."""
    places = {label: np.arange(size) for label, size in zip(x_labels, shape)}
    return tuple([places[label].reshape([-1 if each == label else 1 for each in distinct]) for label in x_labels])

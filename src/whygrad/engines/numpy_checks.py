"""Kernels of the NumPy engine that check values."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.values.errors import invalid

Array = Any


class CheckKernels:
    """Kernels of `whygrad.ops.debugging`."""

    def check_numerics(self, tensor: Array, *, message: str) -> Array:
        """Return `tensor`, or raise an error that begins with `message` if it contains a NaN or an infinity."""
        if np.isfinite(tensor).all():
            return tensor
        has_nan, has_inf = np.isnan(tensor).any(), np.isinf(tensor).any()
        found = "Inf and NaN" if has_nan and has_inf else "NaN" if has_nan else "Inf"
        raise invalid(f"{message} : Tensor had {found} values [Op:CheckNumerics]")

"""NumPy's exception classes, raised with whygrad's messages and explanations."""

from __future__ import annotations

import numpy as np

from whygrad.values.errors import Standard, named_as_standard


class OpAxisError(Standard, np.exceptions.AxisError):
    """An axis that a tensor does not have."""


class OpLinAlgError(Standard, np.linalg.LinAlgError):
    """A matrix that an op of linear algebra cannot take."""


class OpOverflowError(Standard, OverflowError):
    """A Python number that its dtype cannot hold."""


class OpZeroDivisionError(Standard, ZeroDivisionError):
    """A division by weights that add up to zero."""


named_as_standard(OpAxisError, OpLinAlgError, OpOverflowError, OpZeroDivisionError)

"""Rows for `whygrad.ops.indexing`."""

from tests.support.cases import Case, anything

CASES = [
    Case("getitem", lambda tf, x: x[1:, ::-1], (anything(3, 4),), complex=True),
    Case("loop over slices", lambda tf, x: sum(x[i] * x[i] for i in range(3)), (anything(3, 4),)),
]

BAD_INPUT = []

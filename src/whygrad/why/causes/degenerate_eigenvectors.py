"""`degenerate-eigenvectors`: repeated eigenvalues or singular values, whose vectors are not unique."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import Pulled
from whygrad.why.evidence.question import Question
from whygrad.why.source.sites import operand_names, site
from whygrad.why.source.wording import described, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if the derivative of a decomposition lacks terms that are not defined."""
    for pulled in trace.numerics.watched:
        record = pulled.record
        if not record.traits.decomposes or not _drops_terms(pulled, trace):
            continue
        operands = operand_names(record.code, record.instruction)
        yield Cause(
            "degenerate-eigenvectors",
            "wrong_value",
            f"{quoted(operands[0] if operands else 'the matrix')} has repeated {record.traits.decomposes}: the vectors that belong to them are "
            "not unique, and the undefined terms of their derivative were dropped",
            (
                site(record.code, record.instruction, "decomposed here", described(pulled.key)),
                question.call_site.site,
            ),
            "use a function that needs no eigenvectors (tf.linalg.sqrtm, tf.linalg.expm, tf.linalg.cholesky), or break the tie "
            "with a small perturbation",
            {operands[0] if operands else "the matrix": described(pulled.key)},
        )


def _drops_terms(pulled: Pulled, trace: Trace) -> bool:
    """Whether the cotangents of two vectors that belong to the same value mix them: that part has no derivative."""
    outputs = [trace.numerics.made(key) for key in outputs_of(pulled.record)]
    if not isinstance(pulled.g, tuple) or any(made is None for made in outputs):
        return False
    values, *bases = [made.output.astype(np.float64) for made in outputs]  # type: ignore[union-attr]
    cotangents = [np.asarray(getattr(g, "_array", g)).astype(np.float64) for g in pulled.g[1:]]
    if not all(np.isfinite(array).all() for array in (values, *bases, *cotangents)):
        return False
    n = values.shape[-1]
    largest = np.abs(values).max(initial=0.0, axis=-1, keepdims=True)[..., None]
    alike = np.abs(values[..., :, None] - values[..., None, :]) <= 1e-6 * np.maximum(largest, 1e-30)
    alike &= ~np.eye(n, dtype=bool)
    for vectors, g in zip(bases, cotangents):
        mixing = np.swapaxes(vectors, -1, -2)[..., :n, :] @ g[..., :n]
        if (np.abs(mixing) * alike > 1e-6 * np.abs(g).max(initial=0.0)).any():
            return True
    return False

"""Watching TensorFlow from inside a program: `tracing()` and `why()`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from whygrad.on_tensorflow.witness import Witness
from whygrad.view.ask import last
from whygrad.view.notice import note_of
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence import trace
from whygrad.why.evidence.path import Answer
from whygrad.why.evidence.trace import Trace


@contextlib.contextmanager
def tracing(eager: bool = False) -> Iterator[Trace]:
    """Watch the TensorFlow code inside the block, and collect what is wrong with its gradients in `trace.findings`.

    An exception that leaves the block carries its causes (`e.causes`) and shows them. With `eager=True`, functions run op by op, so
    that everything inside them is seen.
    """
    witness = Witness(eager)
    with witness.watching(), trace.tracing() as found:
        try:
            yield found
        except Exception as error:
            witness.explain(error)
            for cause in causes_of(error):
                error.add_note(note_of(error, cause))
            raise


def why(source: int = 0) -> Answer:
    """Explain the last gradient that TensorFlow took inside `tracing()`: for source number `source`, the cause and every path."""
    return last(source)

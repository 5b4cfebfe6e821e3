"""From records to causes: why a gradient is None, not finite, zero, or an error.

`why` reads what tapes and traces recorded, and prints nothing. Called, `whygrad.why()` answers for the last gradient that was
taken in this thread.
"""

from __future__ import annotations

import sys
import types
from typing import Any, cast

from whygrad._public import export


class _CallableModule(types.ModuleType):
    def __call__(self, source: int = 0) -> Any:
        """Why the last call of `gradient` in this thread gave what it gave, for source number `source`.

        The answer has the causes of a None, inf, nan or zero as far as they can be found, and the `path` that the gradient
        took, with the norm of the gradient that each op passed back. Printed, it is a report.

        >>> import whygrad as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     y = tf.reduce_sum(x * x)
        >>> g = tape.gradient(y, x)
        >>> tf.why().norm
        4.47213595499958
        >>> [(hop.op, round(hop.norm, 3)) for hop in tf.why().path]
        [('reduce_sum', 1.414), ('multiply', 2.236), ('multiply', 2.236)]
        """
        from whygrad.view.ask import last

        return last(source)


sys.modules[__name__].__class__ = _CallableModule
why = export("why")(cast(_CallableModule, sys.modules[__name__]))

"""Ops without a registered gradient: differentiating them raises, as in TensorFlow, instead of giving None."""

from __future__ import annotations

from typing import Any, NoReturn

from whygrad.ops.primitive import Rule
from whygrad.values.errors import OpLookupError
from whygrad.values.faults import NoRegisteredGradient


def unregistered(op_name: str, instead: str = "") -> Rule:
    """The rule of such an op. `instead` says how to compute the same with a gradient."""

    def no_rule(xp: Any, g: Any) -> NoReturn:
        raise OpLookupError(NoRegisteredGradient(op_type=op_name, instead=instead))

    return no_rule

"""The functions of ops on one and two tensors: `apply` and `record` of `whygrad.ops.primitive`, written out for speed.

These functions make up most of a program, and every function call inside them would show. Both are rendered from one template
(`tools/fast_forms.py`) into `whygrad.ops.fast_forms`, so that what is written out stands in one place. They may assume plain NumPy
tensors of an allowed dtype, one output and no attributes; everything else goes to the op's general form, which calls `apply`.
tests/ops/test_fast_ops.py compares values, gradients, records and errors of the two over the whole table of ops.

`use_fast_forms(False)`, or WHYGRAD_FAST=0 in the environment, sends every call to the general form.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from whygrad.ops import fast_forms
from whygrad.runtime.switches import switches
from whygrad.values.tensor import Tensor

OUTPUT_BIT = 4  # `Plan.keeps` is the sum of this, if the output is kept, and of the bits of the inputs that are


def fast_op(form: str, *, compute: Callable[..., Any], usual: Any, wide: Any, **rest: Any) -> Callable[..., Any]:
    """The fast form of an op: the name of its maker, and what that needs.

    A form "of_two_reflected" takes the right operand first, as `__rsub__` does. One "with_attributes" is on one tensor; its caller is called
    by the public function.

    Most calls need `compute`, `usual` and `wide` alone. The rest shares one object: each variable of an enclosing function is copied into
    every call's frame.

    general         the general form: takes the operands after `operands`
    operands        converts the arguments to tensors, in the general form too
    compute         the primitive on NumPy arrays
    failed          called with an error, `compute` and the inputs: gives the output nevertheless, or raises
    plan_for        the plan for a mask of watched inputs
    tell_recorders  appends the record to further recorders
    show            shows the record to observers
    kinds           the kinds of dtypes that are allowed
    usual, wide     dtypes that are among them and differentiable, or None
    attributes      the attributes of a form that has some
    usual_numbers, wide_numbers  numbers that were operands beside tensors of these dtypes, as tensors, by value
    """
    make = getattr(fast_forms, form)
    return make(compute, usual, wide, SimpleNamespace(**rest))  # type: ignore[no-any-return]


class _Never:
    """A class without instances: switched off, no operand is of the class that the fast forms take."""


def use_fast_forms(on: bool) -> None:
    """Use the fast forms of ops and of the sweep, or the reference alone."""
    switches.fast = on
    fast_forms.Plain = Tensor if on else _Never


use_fast_forms(switches.fast)

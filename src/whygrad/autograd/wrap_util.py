"""Operators on functions of several arguments, from operators on functions of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from whygrad.autograd.boxes import wraps
from whygrad.autograd.util import subvals


def unary_to_nary(unary_operator: Callable[..., Any]) -> Callable[..., Any]:
    """An operator `(fun, argnum)` from one that is called with a function of one argument and its value."""

    @wraps(unary_operator)
    def nary_operator(fun: Callable[..., Any], argnum: int | Sequence[int] = 0, *more: Any, **options: Any) -> Any:
        @wraps(fun)
        def nary_function(*args: Any, **kwargs: Any) -> Any:
            numbers = (argnum,) if isinstance(argnum, int) else tuple(argnum)

            @wraps(fun)
            def unary_function(x: Any) -> Any:
                given = (x,) if isinstance(argnum, int) else x
                return fun(*subvals(args, zip(numbers, given)), **kwargs)

            chosen = tuple([args[number] for number in numbers])
            return unary_operator(unary_function, chosen[0] if isinstance(argnum, int) else chosen, *more, **options)

        return nary_function

    return nary_operator

"""`scipy.optimize.minimize` with derivatives, for functions of nested parameters.

`whygrad.value_and_grad(f)` is itself what `scipy.optimize.minimize(..., jac=True)` takes where the parameters are one vector.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.functional.flat import ravel_nested
from whygrad.functional.gradients import hessian, hvp, value_and_grad
from whygrad.values.errors import OpTypeError

__all__ = ["minimize"]

_WITHOUT_GRADIENT = ("nelder-mead", "powell", "cobyla", "cobyqa")
_WITH_HESSIAN = ("dogleg", "trust-exact")
_WITH_PRODUCTS = ("newton-cg", "trust-ncg", "trust-krylov")


def minimize(
    fun: Callable[..., Any],
    x0: Any,
    args: tuple[Any, ...] = (),
    method: str | None = None,
    *,
    callback: Callable[[Any], Any] | None = None,
    **options: Any,
) -> Any:
    """Minimize a function of nested parameters with SciPy, which gets its gradient, and its hessian where the method uses one.

    `x0` is the structure of parameters to begin with. The result is SciPy's, with `x` and `jac` in that structure, and `callback` is
    called with the structure too. Other arguments are those of `scipy.optimize.minimize`.

    >>> import numpy as np
    >>> from whygrad.scipy.optimize import minimize
    >>> x = np.array([0.0, 1.0, 2.0])
    >>> def misfit(line):
    ...     return np.sum((line["slope"] * x + line["offset"] - (3.0 * x - 1.0)) ** 2)
    >>> found = minimize(misfit, {"slope": 0.0, "offset": 0.0})
    >>> round(float(found.x["slope"]), 4), round(float(found.x["offset"]), 4)
    (3.0, -1.0)
    """
    import scipy.optimize

    if "jac" in options:
        raise OpTypeError("minimize() computes the gradient itself: leave out jac=")
    start, restore = ravel_nested(x0)
    start = np.asarray(start, np.float64)

    def of_vector(x: Any) -> Any:
        return fun(restore(x), *args)

    both = value_and_grad(of_vector)

    def value_and_slope(x: Any) -> tuple[float, Any]:
        value, slope = both(x)
        return float(np.reshape(value, ())), slope

    def product(x: Any, p: Any) -> Any:
        return hvp(of_vector, (x,), (p,))[0]

    name = (method or "").lower()
    if name in _WITH_HESSIAN:
        options.setdefault("hess", hessian(of_vector))
    elif name in _WITH_PRODUCTS and "hess" not in options:
        options.setdefault("hessp", product)
    if callback is not None:
        options["callback"] = lambda x: callback(restore(x))
    uses_gradient = name not in _WITHOUT_GRADIENT
    function = value_and_slope if uses_gradient else lambda x: value_and_slope(x)[0]
    found = scipy.optimize.minimize(function, start, method=method, jac=uses_gradient or None, **options)
    found.x = restore(found.x)
    if "jac" in found:
        found.jac = restore(found.jac)
    return found

"""The switch that redirects NumPy's own functions, called on Tensors and Variables, to `whygrad.numpy` (NEP 13 and NEP 18)."""

from __future__ import annotations

import functools
import sys
import threading
from typing import Any

import numpy as np

from whygrad._public import export_defined, namespace
from whygrad.runtime.overloads import forwarding
from whygrad.values.errors import Explained, OpTypeError
from whygrad.values.recorders import silent_exit_listeners, state
from whygrad.values.tensor import Tensor, answers_numpy
from whygrad.values.variable import Variable

export_defined("numpy", but=("dispatching",))

_counterparts: dict[Any, Any] = {}


def _find_counterparts() -> dict[Any, Any]:
    """Map NumPy's functions and ufuncs to ours of the same name."""
    if not _counterparts:
        import whygrad.numpy as ours

        for theirs, mine in ((np, ours), (np.linalg, ours.linalg), (np.fft, ours.fft)):
            for name in dir(theirs):
                function = getattr(theirs, name)
                if callable(function) and not isinstance(function, type) and callable(getattr(mine, name, None)):
                    _counterparts[function] = getattr(mine, name)
    return _counterparts


def _name_of(function: Any) -> str:
    module = getattr(function, "__module__", None) or "numpy"
    return f"{module}.{function.__name__}"


def _without_counterpart(name: str, where: str = "whygrad.numpy") -> TypeError:
    return OpTypeError(
        f"{name} has no differentiable counterpart in {where}; to leave the tape on purpose, give it x.numpy()"
    )


@forwarding
def _array_function(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    if not all(issubclass(each, Tensor | Variable | np.ndarray) for each in types):
        return NotImplemented
    counterpart = _find_counterparts().get(func)
    if counterpart is None:
        raise _without_counterpart(_name_of(func))
    return counterpart(*args, **kwargs)


def _of_scipy(ufunc: Any) -> Any:
    """Our function for a ufunc of `scipy.special`; None for other ufuncs."""
    name, special = ufunc.__name__, sys.modules.get("scipy.special")
    if special is None or getattr(special, name, None) is not ufunc:
        return None
    ours = namespace("scipy.special")
    if name not in ours.__all__:
        raise _without_counterpart(f"scipy.special.{name}", "whygrad.scipy.special")
    return getattr(ours, name)


@forwarding
def _array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    counterpart = _find_counterparts().get(ufunc) or _of_scipy(ufunc)
    if counterpart is None:
        raise _without_counterpart(f"numpy.{ufunc.__name__}")
    if kwargs.get("out") is not None:
        raise OpTypeError(f"numpy.{ufunc.__name__}(..., out=) is not supported on Tensors: they are never written to")
    if method == "__call__":
        return counterpart(*inputs, **kwargs)
    bound = getattr(counterpart, method, None)
    if bound is None:
        raise _without_counterpart(f"numpy.{ufunc.__name__}.{method}")
    return bound(*inputs, **kwargs)


_HOOKS = {"__array_ufunc__": _array_ufunc, "__array_function__": _array_function}

# How NumPy and Python take a tensor as plain numbers, without a function that could be redirected: np.asarray(x), out[i] = x[i],
# np.vectorize, math.exp(x). A tensor that a tape watches leaves the tape there, and listeners are notified.
# From 3.12 on, np.asarray(x) asks for the buffer. (An integer, as int(x) makes, has no slope: it chooses or counts.)
_EXITS = ("__array__", "__buffer__", "__float__", "__complex__")
_plain_exits: dict[str, Any] = {}


def _noticed(leave: Any) -> Any:
    @functools.wraps(leave)
    def exit(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if any(each.differentiates and each.watches(self._key) for each in state.recorders):
            for listener in silent_exit_listeners:
                listener(self)
        return leave(self, *args, **kwargs)

    return exit


def _notice_exits(noticed: bool) -> None:
    for name in _EXITS:
        plain = _plain_exits.setdefault(name, Tensor.__dict__[name])
        setattr(Tensor, name, _noticed(plain) if noticed else plain)


class _Switch:
    """Whether NumPy's functions are redirected: while `enable_dispatch` asks for it, or a call that `dispatching` holds is running."""

    requested = False
    running = 0
    lock = threading.Lock()

    @classmethod
    def update(cls, requested: bool | None = None, more: int = 0) -> None:
        """Change the number of requests for it, and set or remove the hooks accordingly."""
        with cls.lock:
            cls.running += more
            if requested is not None:
                cls.requested = requested
            wanted = cls.requested or cls.running > 0
            if wanted != is_dispatch_enabled():
                _set_hooks(wanted)


def _set_hooks(wanted: bool) -> None:
    from whygrad.numpy.behavior import disable, enable

    for owner in (Tensor, Variable):
        for name, hook in _HOOKS.items():
            if wanted:
                setattr(owner, name, hook)
            else:
                delattr(owner, name)
    _notice_exits(wanted)
    (enable if wanted else disable)("dispatch")


class _Dispatch:
    """The result of `enable_dispatch`: leaving its `with` block restores the previous state."""

    def __init__(self, was_requested: bool) -> None:
        self._was_requested = was_requested

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        _mark(error)
        if not self._was_requested:
            disable_dispatch()


class _Dispatching:
    """The context that `dispatching` gives."""

    def __enter__(self) -> None:
        _Switch.update(more=1)

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        _mark(error)
        _Switch.update(more=-1)


def _mark(error: BaseException | None) -> None:
    """Let an error say that NumPy's functions took tensors: its causes are worked out later, when they may no longer."""
    if isinstance(error, Explained):
        error.of_numpys = True


def dispatching() -> _Dispatching:
    """Redirect NumPy's functions for a block, whatever `enable_dispatch` and `disable_dispatch` do meanwhile; several may overlap."""
    return _Dispatching()


def is_dispatch_enabled() -> bool:
    """Return whether NumPy's functions, called on Tensors, are redirected here."""
    return answers_numpy()


def enable_dispatch() -> _Dispatch:
    """Redirect NumPy's own functions, called on Tensors and Variables, to `whygrad.numpy`: NumPy code becomes differentiable unchanged.

    It applies to the whole process until `disable_dispatch()` or, as `with enable_dispatch():`, to the block. A function without a
    counterpart raises a TypeError that names it. Where NumPy or Python takes a watched tensor as plain numbers, as in `np.asarray(x)` or
    `math.exp(x)`, a warning names the line: nothing leaves the tape silently.

    >>> import numpy as np, whygrad as tf, whygrad.numpy as wnp
    >>> x = tf.Variable([1.0, 2.0])
    >>> with wnp.enable_dispatch(), tf.GradientTape() as tape:
    ...     y = np.linalg.norm(np.exp(x))
    >>> tape.gradient(y, x).numpy()
    array([0.93850803, 6.9346867 ], dtype=float32)
    """
    was_requested = _Switch.requested
    _Switch.update(requested=True)
    return _Dispatch(was_requested)


def disable_dispatch() -> None:
    """Let NumPy's functions, called on Tensors, return arrays again, as in TensorFlow."""
    _Switch.update(requested=False)

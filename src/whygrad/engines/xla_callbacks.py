"""Call Python from a compiled function: for kernels that XLA lacks, and for effects that must happen in Python."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.values.errors import OpError
from whygrad.values.recorders import state

Array = Any
Described = tuple[tuple[int, ...], Any]  # a shape and a dtype

CALLS_PYTHON = "calls Python"  # the note of a trace whose Python may assign variables at run time
_IN_HALVES = ("int64", "uint64", "float64", "complex128")


class CallbackKernels:
    """The Python callbacks of the XLA engine."""

    jax: Any
    jnp: Any
    lax: Any
    exactly: Any
    is_spread: bool

    def __init__(self) -> None:
        # Exceptions from callbacks of a run that has not ended, and the numbers of the callbacks in program order.
        self._failures: list[tuple[int, Exception]] = []
        self._count = itertools.count()

    def on_host(self, kernel: str, *arrays: Array, of: Described | list[Described], **attributes: Any) -> Any:
        """Call a kernel of the NumPy engine when the function runs; `of` is the shape and dtype of its result, or several.

        If it rejects its arguments the results are nan: compiled code cannot raise.
        """
        from whygrad.engines.numpy import engine as numpy_engine

        several = isinstance(of, list)
        described: Any = of if several else [of]

        def call(*given: Array) -> Sequence[Array]:
            try:
                made = getattr(numpy_engine, kernel)(*given, **attributes)
            except (OpError, np.linalg.LinAlgError):
                return [
                    np.full(shape, np.nan if np.dtype(dtype).kind in "fcV" else 0, dtype) for shape, dtype in described
                ]
            return list(made) if several else [made]

        found = self._call(self.jax.pure_callback, call, described, arrays)
        return tuple(found) if several else found[0]

    def call_python(
        self, function: Callable[..., Sequence[Array]], of: Sequence[Described], *arrays: Array
    ) -> list[Array]:
        """Call `function` with NumPy arrays at each run, in program order; its results have these shapes and dtypes.

        If it raises, the run raises the same exception, and makes no further calls.
        """
        state.context.notes.add(CALLS_PYTHON)

        def unless_failed(*given: Array) -> Sequence[Array]:
            return [np.zeros(shape, dtype) for shape, dtype in of] if self._failures else function(*given)

        return self._call_python(unless_failed, of, *arrays, ordered=True)

    def check(self, holds: Array, report: Callable[..., None], *arrays: Array) -> None:
        """Call `report`, which raises, with NumPy arrays, at each run in which `holds` is not true.

        Of several checks that fail, the run raises the exception of the first. The order in which they run does not matter, which costs
        half. On several devices nothing is checked: each has a part of the values.
        """
        if self.is_spread:
            return

        def called(*given: Array) -> list[Array]:
            report(*given)
            return []

        def failed(*given: Array) -> None:
            self._call_python(called, [], *given, ordered=False)

        self.lax.cond(holds, lambda *_: None, failed, *arrays)

    def _call_python(
        self, function: Callable[..., Sequence[Array]], of: Sequence[Described], *arrays: Array, ordered: bool
    ) -> list[Array]:
        number = next(self._count)

        def call(*given: Array) -> Sequence[Array]:
            before = state.recorders, state.context, state.private
            # The function must not use those of the calling thread.
            state.recorders, state.context, state.private = (), None, None
            try:
                return function(*given)
            except Exception as error:
                self._failures.append((number, error))
            finally:
                state.recorders, state.context, state.private = before
            return [np.zeros(shape, dtype) for shape, dtype in of]

        from jax.experimental import io_callback

        def call_back(function: Any, results: Any, *arrays: Array, **options: Any) -> Any:
            return io_callback(function, results, *arrays, ordered=ordered)

        return self._call(call_back, call, of, arrays)

    def calling_python(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap an executable that calls Python: it returns after all calls are made, and raises what they raised."""

        def run_and_wait(*arrays: Array) -> Any:
            with self.exactly():
                results = self.jax.block_until_ready(run(*arrays))
                self.jax.effects_barrier()
            if self._failures:
                _, failure = min(self._failures, key=operator.itemgetter(0))
                self._failures.clear()
                raise failure
            return results

        return run_and_wait

    def _call(
        self, call_back: Any, function: Callable[..., Sequence[Array]], of: Sequence[Described], arrays: Sequence[Array]
    ) -> list[Array]:
        """Call `function` through one of JAX's callbacks, which may run in a thread that truncates 64-bit numbers to 32 bits:
        they are passed as two halves."""
        kinds = [str(array.dtype) for array in arrays]

        def in_python(*given: Array) -> tuple[Array, ...]:
            whole = [_joined(np.asarray(each), kind) for each, kind in zip(given, kinds)]
            made = function(*whole)
            return tuple([_halves(np.asarray(each, dtype).reshape(shape)) for each, (shape, dtype) in zip(made, of)])

        results = [
            self.jax.ShapeDtypeStruct((*shape, _count(dtype)), np.uint32)
            if str(np.dtype(dtype)) in _IN_HALVES
            else self.jax.ShapeDtypeStruct(shape, dtype)
            for shape, dtype in of
        ]
        travelling = [self._sent(self.jnp.asarray(array)) for array in arrays]
        found = call_back(in_python, tuple(results), *travelling, vmap_method="sequential")
        return [self._received(each, np.dtype(dtype)) for each, (_, dtype) in zip(found, of)]

    def _sent(self, array: Array) -> Array:
        if str(array.dtype) not in _IN_HALVES:
            return array
        if array.dtype.kind == "c":
            return self.jnp.concatenate([self._sent(array.real), self._sent(array.imag)], axis=-1)
        return self.lax.bitcast_convert_type(array, np.uint32)

    def _received(self, array: Array, dtype: Any) -> Array:
        if str(dtype) not in _IN_HALVES:
            return array
        if dtype.kind == "c":
            parts = [self.lax.bitcast_convert_type(array[..., at : at + 2], np.float64) for at in (0, 2)]
            return self.lax.complex(*parts)
        return self.lax.bitcast_convert_type(array, dtype)


def _count(dtype: Any) -> int:
    return int(np.dtype(dtype).itemsize // 4)


def _joined(array: Array, dtype: str) -> Array:
    """Join the halves again, into a copy, since the argument belongs to JAX."""
    if dtype not in _IN_HALVES:
        return np.array(array)
    return np.array(array, order="C").view(dtype)[..., 0]


def _halves(array: Array) -> Array:
    if str(array.dtype) not in _IN_HALVES:
        return array
    return np.ascontiguousarray(array[..., None]).view(np.uint32)

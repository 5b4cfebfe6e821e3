"""TensorFlow's variables: their shadows, and the ops that read and assign them.

TensorFlow reads a variable that is an operand inside its own code, without a callback. The value that the op gets is the variable's
memory, so variables are found by its address.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.on_tensorflow import function_calls
from whygrad.on_tensorflow.internals import Internals
from whygrad.on_tensorflow.op_types import words
from whygrad.on_tensorflow.shadows import (
    SHADOW,
    address_of,
    array_in,
    array_of,
    attach,
    attach_if_fits,
    shadow_of,
    variable_of,
)
from whygrad.runtime.call_sites import frame_at
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable


class Variables:
    """The shadows of TensorFlow's variables, with their present values."""

    def __init__(self, found: Internals, whygrad: Any) -> None:
        self._found = found
        self._tf = whygrad  # the public functions
        self._by_address: weakref.WeakValueDictionary[int, Variable] = weakref.WeakValueDictionary()
        # Once parts of a variable were assigned, TensorFlow gives each op a copy of its value.
        self._copied: weakref.WeakValueDictionary[int, Variable] = weakref.WeakValueDictionary()  # by number
        self._stale: dict[int, Any] = {}  # handles of variables that a compiled function may have assigned, by id

    def shadow(self, tensor: Any) -> Tensor | None:
        """The shadow of an input of an op."""
        return shadow_of(tensor, self._value_read)

    def _value_read(self, array: Any) -> Tensor | None:
        """The value of the variable whose memory this is, as an op takes it; None if it belongs to no variable."""
        if not array.size:
            return None
        variable = self._by_address.get(address_of(array))
        if variable is None and self._stale:
            for handle in list(self._stale.values()):
                self._refresh(handle)
            variable = self._by_address.get(address_of(array))
        if variable is None and self._copied:
            variable = self._operand(array)
        if variable is None or variable._value._array.shape != array.shape:
            return None
        return variable.read()

    def _operand(self, array: Any) -> Variable | None:
        """The variable with this value among the operands of the running op, where TensorFlow gave the op a copy.

        The function that executes the op has the variable among its arguments.
        """
        frame: Any = frame_at(1)
        while frame is not None and not os.path.basename(frame.f_code.co_filename).startswith("gen_"):
            frame = frame.f_back
        given = [] if frame is None else list(frame.f_locals.values())
        for each in [part for value in given for part in (value if isinstance(value, list | tuple) else (value,))]:
            variable = variable_of(each)
            if variable is None or variable._number not in self._copied:
                continue
            if _are_equal(variable._value._array, array):
                return variable
        return None

    def _refresh(self, handle: Any, origin: Any = None) -> Variable:
        """Give the shadow of a variable the value that it has now."""
        shadow: Variable | None = getattr(handle, SHADOW, None)
        array = array_in(self._found.read_variable(handle, self._found.dtype_of(handle)))
        if shadow is None:
            shadow = Variable(origin if isinstance(origin, Tensor) else array)
            shadow._value._array = array
            setattr(handle, SHADOW, shadow)
        elif id(handle) in self._stale and _are_equal(shadow._value._array, array):
            shadow._value._array = array  # a function call left it as it was, or it was put back afterwards
        else:
            shadow.rebind(array, False, origin if isinstance(origin, Tensor) else None)
        self._stale.pop(id(handle), None)
        self._by_address[address_of(array)] = shadow
        return shadow

    def known(self, handle: Any) -> Variable:
        """The shadow of the variable with this handle, with its present value."""
        shadow = getattr(handle, SHADOW, None)
        return self._refresh(handle) if shadow is None or id(handle) in self._stale else shadow

    def changed(self, handles: list[Any]) -> None:
        """Note that a compiled function may have assigned these variables."""
        self._stale.update((id(handle), handle) for handle in handles)

    def describe(self, variable: Any) -> None:
        """Give the shadow of a variable its name and settings."""
        shadow = variable_of(variable)
        if shadow is not None:
            shadow._trainable = bool(variable.trainable)
            shadow._name = variable.name
            shadow._path, shadow._scope = (
                getattr(variable, "_path", None),
                getattr(variable, "_scope", None),
            )  # of Keras

    # -- ops on variables --

    def read(self, inputs: Any, outputs: Any) -> None:
        """The value of a variable was read."""
        attach(outputs[0], self.known(inputs[0]).read())

    def written(self, inputs: Any, outputs: Any) -> None:
        """A variable took a value, and with it the value's memory.

        TensorFlow has one tensor for all constants that are the same number. A variable that took a number gets memory of its own, so that
        these constants are not taken for the variable.
        """
        handle, value = inputs[:2]
        if not value._rank() and (array := array_of(value)) is not None:
            self._found.assign_variable(handle, self._found.tensorflow.constant(array.copy()))
        self.assigned(inputs, outputs)

    def assigned(self, inputs: Any, outputs: Any) -> None:
        """A variable took a new value, or a change of its value, which is the last input."""
        change = self.shadow(inputs[-1]) if len(inputs) > 1 else None
        self._refresh(inputs[0], change)
        function_calls.assigned(inputs[0])

    def assigned_in_part(self, inputs: Any, outputs: Any) -> None:
        """Rows or elements of a variable took new values."""
        self.assigned(inputs, outputs)
        variable = self.known(inputs[0])
        self._copied[variable._number] = variable

    def gathered(self, inputs: Any, outputs: Any) -> None:
        """`tf.gather` of a variable, which TensorFlow does without reading the whole of it."""
        made = self._tf.gather(self.known(inputs[0]).read(), self.shadow(inputs[1]))
        attach_if_fits(outputs[0], made)


OF_VARIABLES: dict[str, Callable[[Variables, Any, Any], None]] = {
    "ReadVariableOp": Variables.read,
    "AssignVariableOp": Variables.written,
    "ResourceGather": Variables.gathered,
    **dict.fromkeys(words("AssignAddVariableOp AssignSubVariableOp ResourceApplyGradientDescent"), Variables.assigned),
    **dict.fromkeys(
        words("""
        ResourceScatterAdd ResourceScatterSub ResourceScatterUpdate ResourceScatterMul ResourceScatterDiv ResourceScatterMax
        ResourceScatterMin ResourceScatterNdAdd ResourceScatterNdSub ResourceScatterNdUpdate ResourceScatterNdMax ResourceScatterNdMin
        ResourceStridedSliceAssign
        """),
        Variables.assigned_in_part,
    ),
    # These are ignored: making and destroying variables, and what Keras does with the results of its functions.
    **dict.fromkeys(
        words("VarHandleOp DestroyResourceOp OptionalHasValue OptionalGetValue"),
        lambda variables, inputs, outputs: None,
    ),
}


def _are_equal(a: Any, b: Any) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")

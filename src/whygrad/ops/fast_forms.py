"""The functions of ops on one and two tensors. Written by `python -m tools.fast_forms`: edit the template there.

`whygrad.ops.fast_ops` says what they may assume, and what each argument is.
"""
# mypy: disable-error-code="attr-defined"

from __future__ import annotations

from typing import Any

from numpy import asarray, ndarray

from whygrad.runtime.call_sites import frame_at, last, users_code
from whygrad.runtime.error_state import silently
from whygrad.values.composite import on_composites
from whygrad.values.conversion import readers
from whygrad.values.errors import CompositeGiven
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import Key, Tensor, as_array, key_of

new_tensor = Tensor.__new__
NO_ATTRIBUTES: dict[str, Any] = {}
Plain: Any = Tensor  # the class of operands that the functions take; `use_fast_forms` changes it


def of_one_tensor(compute: Any, usual: Any, wide: Any, rest: Any) -> Any:
    few = getattr(compute, "of_few", compute)
    many = getattr(compute, "many", None)
    plans: list[Any] = [None] * 8  # by the mask of watched inputs, as they are needed

    def op(x: Any, name: Any = None) -> Any:
        if type(x) is not Plain:
            try:
                x = rest.operands(x)
            except CompositeGiven as error:
                return on_composites(op, (x,), error)
            if type(x) is not Plain:
                return rest.general(x)
        x_array = x._array
        dtype = x_array.dtype
        if (dtype is not usual and dtype is not wide and dtype.kind not in rest.kinds):
            return rest.general(x)
        try:
            out = silently(few if many is None or x_array.size < many else compute, x_array)
        except Exception as error:
            out = rest.failed(error, compute, x)
        made = new_tensor(Tensor)
        if type(out) is not ndarray:
            out = asarray(out) if dtype.kind != "O" else as_array(out)
        made._array = out
        recorders = state.recorders
        if not recorders:
            made._key = None
            return made
        try:
            frame = frame_at(1)
        except ValueError:  # no Python code called this: a thread runs it, or the interpreter at its end
            frame = frame_at(0)
        code = frame.f_code
        if code is not last.code:
            frame, code = users_code(frame)
        x_key = x._key
        if x_key is None:
            x_key = key_of(x)
        output = made._key = Key()
        output.shape = x_key.shape  # of the keys, as far as they have it: an array would make a new tuple
        output.dtype = dtype = out.dtype
        recorder: Any = recorders[0]
        mark = recorder.mark
        mask = (1 if x_key.mark is mark or x_key in recorder.unmarked else 0)
        plan = plans[mask]
        if plan is None:
            plan = plans[mask] = rest.plan_for(mask)
        if plan.differentiates:
            keeps = plan.keeps
            kept = [x] if keeps == 1 else () if not keeps else [made] if keeps == 4 else [x, made]
            if dtype is usual or dtype is wide:
                output.mark = mark
            else:
                output.mark = mark if dtype.kind in "fcV" else None
                if dtype.kind == "c":
                    plan = plan.general or plan
        else:
            kept = None
            output.mark = mark if plan.watches and dtype.kind in "fcV" else None
        record = (plan, output, kept, NO_ATTRIBUTES, code, frame.f_lasti, x_key)
        if len(recorders) > 1:
            append = recorder.append
            append(record)
            if len(recorders) > 2 or observers or not (dtype is usual or dtype is wide):
                rest.tell_recorders(recorders[1:], (x,), (x_key,), made, output, NO_ATTRIBUTES, code, frame.f_lasti)
                return made
            recorder = recorders[1]  # as for the first, but that the output may have a mark already
            mark = recorder.mark
            mask = (1 if x_key.mark is mark or x_key in recorder.unmarked else 0)
            plan = plans[mask]
            if plan is None:
                plan = plans[mask] = rest.plan_for(mask)
            kept = None
            if plan.differentiates:
                keeps = plan.keeps
                kept = [x] if keeps == 1 else () if not keeps else [made] if keeps == 4 else [x, made]
            if plan.watches:
                if output.mark is None:
                    output.mark = mark
                else:
                    recorder.unmarked.add(output)
            append = recorder.append
            append((plan, output, kept, NO_ATTRIBUTES, code, frame.f_lasti, x_key))
        elif not observers:
            append = recorder.append
            append(record)
        elif len(observers) == 1 and observers[0] is recorder:
            recorder.noted(record, frame, (x,), made)
        else:
            append = recorder.append
            append(record)
            rest.show(record, (x,), made)
        return made

    return op


def of_two_tensors(compute: Any, usual: Any, wide: Any, rest: Any) -> Any:
    plans: list[Any] = [None] * 8  # by the mask of watched inputs, as they are needed

    def op(x: Any, y: Any, name: Any = None) -> Any:
        if type(x) is not Plain or type(y) is not Plain:
            met = None
            if type(x) is Plain:
                kind = type(y)
                if kind is float:
                    if not observers:
                        dtype = x._array.dtype
                        if dtype is usual:
                            met = rest.usual_numbers.get(y)
                        elif dtype is wide:
                            met = rest.wide_numbers.get(y)
                elif kind in readers:
                    met = readers[kind](y)
            if type(met) is Plain:
                y = met
            else:
                try:
                    x, y = rest.operands(x, y)
                except CompositeGiven as error:
                    return on_composites(op, (x, y,), error)
                if type(x) is not Plain or type(y) is not Plain:
                    return rest.general(x, y)
        x_array = x._array
        y_array = y._array
        dtype = x_array.dtype
        if y_array.dtype is not dtype or (dtype is not usual and dtype is not wide and dtype.kind not in rest.kinds):
            return rest.general(x, y)
        try:
            out = silently(compute, x_array, y_array)
        except Exception as error:
            out = rest.failed(error, compute, x, y)
        made = new_tensor(Tensor)
        if type(out) is not ndarray:
            out = asarray(out) if dtype.kind != "O" else as_array(out)
        made._array = out
        recorders = state.recorders
        if not recorders:
            made._key = None
            return made
        try:
            frame = frame_at(1)
        except ValueError:  # no Python code called this: a thread runs it, or the interpreter at its end
            frame = frame_at(0)
        code = frame.f_code
        if code is not last.code:
            frame, code = users_code(frame)
        x_key = x._key
        if x_key is None:
            x_key = key_of(x)
        y_key = y._key
        if y_key is None:
            y_key = key_of(y)
        output = made._key = Key()
        output.shape = x_key.shape if y_key.shape is x_key.shape or not y_key.shape or out.shape == x_key.shape else y_key.shape if not x_key.shape or out.shape == y_key.shape else out.shape  # of the keys, as far as they have it: an array would make a new tuple
        output.dtype = dtype = out.dtype
        recorder: Any = recorders[0]
        mark = recorder.mark
        mask = (1 if x_key.mark is mark or x_key in recorder.unmarked else 0) + (2 if y_key.mark is mark or y_key in recorder.unmarked else 0)
        plan = plans[mask]
        if plan is None:
            plan = plans[mask] = rest.plan_for(mask)
        if plan.differentiates:
            keeps = plan.keeps
            kept = [x, y] if keeps == 3 else () if not keeps else [x] if keeps == 1 else [y] if keeps == 2 else [made] if keeps == 4 else [x, made] if keeps == 5 else [y, made] if keeps == 6 else [x, y, made]
            if dtype is usual or dtype is wide:
                output.mark = mark
            else:
                output.mark = mark if dtype.kind in "fcV" else None
                if dtype.kind == "c":
                    plan = plan.general or plan
        else:
            kept = None
            output.mark = mark if plan.watches and dtype.kind in "fcV" else None
        record = (plan, output, kept, NO_ATTRIBUTES, code, frame.f_lasti, x_key, y_key)
        if len(recorders) > 1:
            append = recorder.append
            append(record)
            if len(recorders) > 2 or observers or not (dtype is usual or dtype is wide):
                rest.tell_recorders(recorders[1:], (x, y,), (x_key, y_key,), made, output, NO_ATTRIBUTES, code, frame.f_lasti)
                return made
            recorder = recorders[1]  # as for the first, but that the output may have a mark already
            mark = recorder.mark
            mask = (1 if x_key.mark is mark or x_key in recorder.unmarked else 0) + (2 if y_key.mark is mark or y_key in recorder.unmarked else 0)
            plan = plans[mask]
            if plan is None:
                plan = plans[mask] = rest.plan_for(mask)
            kept = None
            if plan.differentiates:
                keeps = plan.keeps
                kept = [x, y] if keeps == 3 else () if not keeps else [x] if keeps == 1 else [y] if keeps == 2 else [made] if keeps == 4 else [x, made] if keeps == 5 else [y, made] if keeps == 6 else [x, y, made]
            if plan.watches:
                if output.mark is None:
                    output.mark = mark
                else:
                    recorder.unmarked.add(output)
            append = recorder.append
            append((plan, output, kept, NO_ATTRIBUTES, code, frame.f_lasti, x_key, y_key))
        elif not observers:
            append = recorder.append
            append(record)
        elif len(observers) == 1 and observers[0] is recorder:
            recorder.noted(record, frame, (x, y,), made)
        else:
            append = recorder.append
            append(record)
            rest.show(record, (x, y,), made)
        return made

    return op


def of_two_reflected(compute: Any, usual: Any, wide: Any, rest: Any) -> Any:
    plans: list[Any] = [None] * 8  # by the mask of watched inputs, as they are needed

    def op(y: Any, x: Any, name: Any = None) -> Any:
        if type(x) is not Plain or type(y) is not Plain:
            met = None
            if type(y) is Plain:
                kind = type(x)
                if kind is float:
                    if not observers:
                        dtype = y._array.dtype
                        if dtype is usual:
                            met = rest.usual_numbers.get(x)
                        elif dtype is wide:
                            met = rest.wide_numbers.get(x)
                elif kind in readers:
                    met = readers[kind](x)
            if type(met) is Plain:
                x = met
            else:
                try:
                    x, y = rest.operands(x, y)
                except CompositeGiven as error:
                    return on_composites(op, (y, x,), error)
                if type(x) is not Plain or type(y) is not Plain:
                    return rest.general(x, y)
        x_array = x._array
        y_array = y._array
        dtype = x_array.dtype
        if y_array.dtype is not dtype or (dtype is not usual and dtype is not wide and dtype.kind not in rest.kinds):
            return rest.general(x, y)
        try:
            out = silently(compute, x_array, y_array)
        except Exception as error:
            out = rest.failed(error, compute, x, y)
        made = new_tensor(Tensor)
        if type(out) is not ndarray:
            out = asarray(out) if dtype.kind != "O" else as_array(out)
        made._array = out
        recorders = state.recorders
        if not recorders:
            made._key = None
            return made
        try:
            frame = frame_at(1)
        except ValueError:  # no Python code called this: a thread runs it, or the interpreter at its end
            frame = frame_at(0)
        code = frame.f_code
        if code is not last.code:
            frame, code = users_code(frame)
        x_key = x._key
        if x_key is None:
            x_key = key_of(x)
        y_key = y._key
        if y_key is None:
            y_key = key_of(y)
        output = made._key = Key()
        output.shape = x_key.shape if y_key.shape is x_key.shape or not y_key.shape or out.shape == x_key.shape else y_key.shape if not x_key.shape or out.shape == y_key.shape else out.shape  # of the keys, as far as they have it: an array would make a new tuple
        output.dtype = dtype = out.dtype
        recorder: Any = recorders[0]
        mark = recorder.mark
        mask = (1 if x_key.mark is mark or x_key in recorder.unmarked else 0) + (2 if y_key.mark is mark or y_key in recorder.unmarked else 0)
        plan = plans[mask]
        if plan is None:
            plan = plans[mask] = rest.plan_for(mask)
        if plan.differentiates:
            keeps = plan.keeps
            kept = [x, y] if keeps == 3 else () if not keeps else [x] if keeps == 1 else [y] if keeps == 2 else [made] if keeps == 4 else [x, made] if keeps == 5 else [y, made] if keeps == 6 else [x, y, made]
            if dtype is usual or dtype is wide:
                output.mark = mark
            else:
                output.mark = mark if dtype.kind in "fcV" else None
                if dtype.kind == "c":
                    plan = plan.general or plan
        else:
            kept = None
            output.mark = mark if plan.watches and dtype.kind in "fcV" else None
        record = (plan, output, kept, NO_ATTRIBUTES, code, frame.f_lasti, x_key, y_key)
        if len(recorders) > 1:
            append = recorder.append
            append(record)
            if len(recorders) > 2 or observers or not (dtype is usual or dtype is wide):
                rest.tell_recorders(recorders[1:], (x, y,), (x_key, y_key,), made, output, NO_ATTRIBUTES, code, frame.f_lasti)
                return made
            recorder = recorders[1]  # as for the first, but that the output may have a mark already
            mark = recorder.mark
            mask = (1 if x_key.mark is mark or x_key in recorder.unmarked else 0) + (2 if y_key.mark is mark or y_key in recorder.unmarked else 0)
            plan = plans[mask]
            if plan is None:
                plan = plans[mask] = rest.plan_for(mask)
            kept = None
            if plan.differentiates:
                keeps = plan.keeps
                kept = [x, y] if keeps == 3 else () if not keeps else [x] if keeps == 1 else [y] if keeps == 2 else [made] if keeps == 4 else [x, made] if keeps == 5 else [y, made] if keeps == 6 else [x, y, made]
            if plan.watches:
                if output.mark is None:
                    output.mark = mark
                else:
                    recorder.unmarked.add(output)
            append = recorder.append
            append((plan, output, kept, NO_ATTRIBUTES, code, frame.f_lasti, x_key, y_key))
        elif not observers:
            append = recorder.append
            append(record)
        elif len(observers) == 1 and observers[0] is recorder:
            recorder.noted(record, frame, (x, y,), made)
        else:
            append = recorder.append
            append(record)
            rest.show(record, (x, y,), made)
        return made

    return op


def with_attributes(compute: Any, usual: Any, wide: Any, rest: Any) -> Any:
    attributes: dict[str, Any] = rest.attributes
    plans: list[Any] = [None] * 8  # by the mask of watched inputs, as they are needed

    def op(x: Any, name: Any = None) -> Any:
        if type(x) is not Plain:
            try:
                x = rest.operands(x)
            except CompositeGiven as error:
                return on_composites(op, (x,), error)
            if type(x) is not Plain:
                return rest.general(x)
        x_array = x._array
        dtype = x_array.dtype
        if (dtype is not usual and dtype is not wide and dtype.kind not in rest.kinds):
            return rest.general(x)
        try:
            out = silently(compute, x_array)
        except Exception as error:
            out = rest.failed(error, compute, x)
        made = new_tensor(Tensor)
        if type(out) is not ndarray:
            out = asarray(out) if dtype.kind != "O" else as_array(out)
        made._array = out
        recorders = state.recorders
        if not recorders:
            made._key = None
            return made
        try:
            frame = frame_at(3)
        except ValueError:  # no Python code called this: a thread runs it, or the interpreter at its end
            frame = frame_at(0)
        code = frame.f_code
        if code is not last.code:
            frame, code = users_code(frame)
        x_key = x._key
        if x_key is None:
            x_key = key_of(x)
        output = made._key = Key()
        output.shape = out.shape  # of the keys, as far as they have it: an array would make a new tuple
        output.dtype = dtype = out.dtype
        recorder: Any = recorders[0]
        mark = recorder.mark
        mask = (1 if x_key.mark is mark or x_key in recorder.unmarked else 0)
        plan = plans[mask]
        if plan is None:
            plan = plans[mask] = rest.plan_for(mask)
        if plan.differentiates:
            keeps = plan.keeps
            kept = [x] if keeps == 1 else () if not keeps else [made] if keeps == 4 else [x, made]
            if dtype is usual or dtype is wide:
                output.mark = mark
            else:
                output.mark = mark if dtype.kind in "fcV" else None
                if dtype.kind == "c":
                    plan = plan.general or plan
        else:
            kept = None
            output.mark = mark if plan.watches and dtype.kind in "fcV" else None
        record = (plan, output, kept, attributes, code, frame.f_lasti, x_key)
        if len(recorders) > 1:
            append = recorder.append
            append(record)
            if len(recorders) > 2 or observers or not (dtype is usual or dtype is wide):
                rest.tell_recorders(recorders[1:], (x,), (x_key,), made, output, attributes, code, frame.f_lasti)
                return made
            recorder = recorders[1]  # as for the first, but that the output may have a mark already
            mark = recorder.mark
            mask = (1 if x_key.mark is mark or x_key in recorder.unmarked else 0)
            plan = plans[mask]
            if plan is None:
                plan = plans[mask] = rest.plan_for(mask)
            kept = None
            if plan.differentiates:
                keeps = plan.keeps
                kept = [x] if keeps == 1 else () if not keeps else [made] if keeps == 4 else [x, made]
            if plan.watches:
                if output.mark is None:
                    output.mark = mark
                else:
                    recorder.unmarked.add(output)
            append = recorder.append
            append((plan, output, kept, attributes, code, frame.f_lasti, x_key))
        elif not observers:
            append = recorder.append
            append(record)
        elif len(observers) == 1 and observers[0] is recorder:
            recorder.noted(record, frame, (x,), made)
        else:
            append = recorder.append
            append(record)
            rest.show(record, (x,), made)
        return made

    return op

"""`examples-mixed`: `batch_jacobian` of a target in which the examples of the batch are not independent."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.recomputed import Recomputed
from whygrad.why.source.sites import site
from whygrad.why.source.wording import described, quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

Values = dict[Key, Any]


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if another first example changes what the target is for the other examples."""
    call, evidence = question.call, question.evidence
    if question.call_site.derivative != "batch jacobian" or call.gradients[0] is None:
        return
    (target,) = evidence.differentiated_targets
    recomputed = Recomputed(evidence.records, evidence.read_values_of(call.sources[0]), [target], trace.numerics)
    both = recomputed.with_first_example_moved()
    count = target.shape[0]
    if both is None or count < 2 or not _reaches_others(target, *both, count):
        return
    record = _mixing(recomputed.records, evidence.tape_history.made_by, *both, count)
    name, source = question.target_name, question.source_names[0]
    yield Cause(
        "examples-mixed",
        "wrong_value",
        f"the batch jacobian of {quoted(name)} with respect to {quoted(source)} adds up derivatives of different examples: "
        f"{spoken(record)} mixes the {count} examples of the batch, so row i of {quoted(name)} depends on other rows of {quoted(source)}",
        (
            site(record.code, record.instruction, "mixed here", described(outputs_of(record)[0])),
            question.call_site.site,
        ),
        f"{_instead(record)}; {question.call_site.tape_name}.jacobian({name}, {source}) gives the derivatives between all examples",
        {name: described(target)},
        likely=True,
    )


def _instead(record: Record) -> str:
    """What to do in place of mixing the examples."""
    if record.traits.moves is not None:
        return f"keep the examples along the first axis: leave out {spoken(record)}, or let it move other axes alone"
    return "compute each example by itself: reduce over other axes than the first, or use fixed statistics in place of those of the batch"


def _mixing(records: list[Record], made_by: dict[Key, Any], base: Values, moved: Values, count: int) -> Record:
    """The op that let one example change the others: the sum over the batch or, where there is none, the op that used it."""
    for record in records:
        if not any(_reaches_others(key, base, moved, count) for key in outputs_of(record)):
            continue
        of_all = [key for key in record.inputs if key in base and not _has_rows(key, count)]
        return _reducer(of_all, made_by, base) or record
    return records[-1]


def _reducer(keys: list[Key], made_by: dict[Key, Any], base: Values) -> Record | None:
    """The op that summed over the batch what the values for all examples together were computed from."""
    pending, seen = deque(keys), set(keys)
    while pending:
        maker = made_by.get(pending.popleft())
        if not isinstance(maker, Record):
            continue
        if maker.traits.reduces is not None:
            return maker
        inputs = [key for key in maker.inputs if key in base and key not in seen]
        seen.update(inputs)
        pending.extend(inputs)
    return None


def _has_rows(key: Key, count: int) -> bool:
    return key.shape[:1] == (count,)


def _reaches_others(key: Key, base: Values, moved: Values, count: int) -> bool:
    """Whether a change of the first example shows in the rows of other examples, beyond rounding."""
    if key not in base or not _has_rows(key, count):
        return False
    scale = float(np.max(np.abs(base[key]), initial=0.0))
    return bool((np.abs(moved[key][1:] - base[key][1:]) > 1e-9 * scale).any())

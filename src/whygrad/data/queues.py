"""Queues of tensors: threads put elements in and take them out, and wait where a queue is full or has too few elements."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import integer
from whygrad.values import dtypes as tensor_dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import (
    CancelledError,
    OpNotImplementedError,
    OpTypeError,
    OpValueError,
    OutOfRangeError,
    invalid,
)
from whygrad.values.faults import QueueUsed
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.tensor import Tensor, value_of, wrap

Element = list[Tensor]  # its components
_count = itertools.count()


@export("queue.QueueBase")
class QueueBase:
    """What the queues share. An element has components of the queue's dtypes and, if they are given, shapes."""

    _needs_full_shapes = True

    def __init__(self, capacity: Any, dtypes: Any, shapes: Any, names: Any, op_name: str) -> None:
        self._capacity = integer(capacity, "capacity", op_name)
        self._dtypes: list[DType] = [tensor_dtypes.as_dtype(each) for each in _listed(dtypes)]
        self._shapes = self._checked_shapes(shapes, op_name)
        self._names = self._checked_names(names)
        self._number = next(_count)
        self._closed = self._cancels = False
        self._changed = threading.Condition()

    def _checked_shapes(self, shapes: Any, op_name: str) -> list[TensorShape]:
        if shapes is None:
            return [TensorShape(None)] * len(self._dtypes)
        # One shape alone is that of one component, as are the sizes of it.
        alone = isinstance(shapes, TensorShape) or not isinstance(shapes, list | tuple)
        found = [as_shape(each) for each in ([shapes] if alone else shapes)]
        if len(found) != len(self._dtypes):
            raise invalid(
                f"Different number of component types.  Types: {', '.join(each.cxx_name for each in self._dtypes)}, "
                f"Shapes: [{', '.join(str(each.as_list()) for each in found)}] [Op:{op_name}]"
            )
        return found

    def _checked_names(self, names: Any) -> list[str] | None:
        if not names:
            return None
        found = _listed(names)
        if len(found) != len(self._dtypes):
            raise OpValueError(
                f"List of names must have the same length as the list of dtypes, received len(names)={len(found)},"
                f"len(dtypes)={len(self._dtypes)}"
            )
        return found

    # -- what a kind of queue decides --

    def _put(self, element: Element) -> None:
        """Keep an element."""
        raise NotImplementedError

    def _take(self) -> Element:
        """Give up the next element."""
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError

    def _kept_back(self) -> int:
        """How many elements stay in the queue while it is open."""
        return 0

    # -- attributes --

    @property
    def dtypes(self) -> list[DType]:
        """The dtypes of an element's components."""
        return self._dtypes

    @property
    def shapes(self) -> list[TensorShape]:
        """The shapes of an element's components."""
        return self._shapes

    @property
    def names(self) -> list[str] | None:
        """The names of the components, or None: then elements are lists."""
        return self._names

    @property
    def name(self) -> str:
        """A name, which is the same for all queues outside of graphs."""
        return "Empty"

    @staticmethod
    def from_list(index: Any, queues: Sequence[QueueBase]) -> QueueBase:
        """The queue at this place of a list."""
        if not isinstance(queues, list) or not queues or not all(isinstance(each, QueueBase) for each in queues):
            raise OpTypeError("A list of queues expected")
        chosen: QueueBase = queues[integer(index, "index")]
        return chosen

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
        self._refuse_in_trace()
        with self._changed:
            return wrap(np.array(len(self), np.int32))

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether the queue was closed."""
        self._refuse_in_trace()
        return wrap(np.array(self._closed))

    # -- operations --

    def enqueue(self, vals: Any, name: str | None = None) -> None:
        """Put one element into the queue, and wait while the queue is full."""
        self._refuse_in_trace()
        element = self._components(vals)
        for component, shape in zip(element, self._shapes):
            component.shape.assert_is_compatible_with(shape)
        self._check_count(element, "QueueEnqueueV2")
        self._put_all([element], "QueueEnqueueV2")

    def enqueue_many(self, vals: Any, name: str | None = None) -> None:
        """Put elements into the queue: the rows of the components."""
        self._refuse_in_trace()
        columns = self._components(vals)
        for column, shape in zip(columns, self._shapes):
            if not column.ndim:
                raise OpValueError("Shape () must have rank at least 1")
            if len(column) != len(columns[0]):
                raise OpValueError(f"Dimensions {len(columns[0])} and {len(column)} are not compatible")
            column.shape[1:].assert_is_compatible_with(shape)
        self._check_count(columns, "QueueEnqueueManyV2")
        rows = [list(row) for row in zip(*[list(column) for column in columns])]
        self._put_all(rows, "QueueEnqueueManyV2")

    def dequeue(self, name: str | None = None) -> Any:
        """Take one element, and wait until there is one."""
        return self._returned(self._taken(1, "QueueDequeueV2")[0])

    def dequeue_many(self, n: Any, name: str | None = None) -> Any:
        """Take `n` elements as rows, and wait until there are so many; OutOfRangeError if the queue is closed before."""
        return self._returned(self._rows(n, "DequeueMany", up_to=False))

    def dequeue_up_to(self, n: Any, name: str | None = None) -> Any:
        """Like `dequeue_many`; from a closed queue, the elements that are left."""
        return self._returned(self._rows(n, "DequeueUpTo", up_to=True))

    def close(self, cancel_pending_enqueues: Any = False, name: str | None = None) -> None:
        """Let nothing be put into the queue any more; what is in it can be taken. Threads that wait to put may be cancelled."""
        self._refuse_in_trace()
        with self._changed:
            self._closed = True
            self._cancels = self._cancels or bool(cancel_pending_enqueues)
            self._changed.notify_all()

    def _components(self, vals: Any) -> Element:
        """The components of an element, as tensors of the queue's dtypes."""
        if isinstance(vals, Mapping):
            if not self._names:
                raise OpValueError("Queue must have names to enqueue a dictionary")
            if sorted(vals) != sorted(self._names):
                raise OpValueError(
                    f"Keys in dictionary to enqueue do not match names of Queue.  Dictionary: {sorted(vals)},Queue: {sorted(self._names)}"
                )
            given = [vals[name] for name in self._names]
        elif self._names:
            raise OpValueError("You must enqueue a dictionary in a Queue with names")
        else:
            given = list(vals) if isinstance(vals, list | tuple) else [vals]
        return [convert(value, dtype) for value, dtype in zip(given, self._dtypes)] + given[len(self._dtypes) :]

    def _check_count(self, components: list[Any], op_name: str) -> None:
        if len(components) != len(self._dtypes):
            raise invalid(
                f"Signature mismatch: an element has {_counted(len(self._dtypes))}, not {len(components)} [Op:{op_name}]"
            )

    def _put_all(self, elements: list[Element], op_name: str) -> None:
        kind = type(self).__name__
        with self._changed:
            if self._closed:
                raise CancelledError(None, None, f"{kind} '{self._number}' is closed. [Op:{op_name}]")
            for element in elements:
                self._wait(lambda: self._cancels or self._capacity < 0 or len(self) < self._capacity)
                if self._cancels:
                    raise CancelledError(None, None, f"Enqueue operation was cancelled [Op:{op_name}]")
                self._put(element)
                self._changed.notify_all()

    def _taken(self, wanted: int, op_name: str, up_to: bool = False) -> list[Element]:
        """The next elements, which leave the queue together."""
        self._refuse_in_trace()
        with self._changed:
            self._wait(lambda: self._closed or len(self) >= wanted + self._kept_back())
            enough = len(self) >= wanted + (0 if self._closed else self._kept_back())
            if not enough and not (up_to and len(self)):
                raise OutOfRangeError(
                    None,
                    None,
                    f"{type(self).__name__} '{self._number}' is closed and has insufficient elements (requested {wanted}, current size "
                    f"{len(self)}) [Op:{op_name}]",
                )
            taken = [self._take() for _ in range(min(wanted, len(self)))]
            self._changed.notify_all()
        return taken

    def _wait(self, ready: Callable[[], bool]) -> None:
        """Wait until something holds. In turns: Python handles Ctrl-C between two of them."""
        while not self._changed.wait_for(ready, timeout=0.2):
            pass

    def _rows(self, n: Any, what: str, up_to: bool) -> Element:
        op_name = f"Queue{what}V2"
        count = integer(n, "n", op_name)
        if count < 0:
            raise invalid(f"{what}Op requested {count} < 0 elements [Op:{op_name}]")
        if any(not shape.is_fully_defined() for shape in self._shapes) and self._needs_full_shapes:
            raise invalid(
                f"{type(self).__name__}'s DequeueMany and DequeueUpTo require the components to have specified shapes. [Op:{op_name}]"
            )
        taken = self._taken(count, op_name, up_to) if count else []
        return [
            wrap(_stacked([value_of(element[i]) for element in taken], shape, dtype))
            for i, (shape, dtype) in enumerate(zip(self._shapes, self._dtypes))
        ]

    def _returned(self, components: Element) -> Any:
        if self._names:
            return dict(zip(self._names, components))
        return components[0] if len(components) == 1 else components

    def _refuse_in_trace(self) -> None:
        """Raise while a function is being traced: it then runs as Python."""
        if state.context is not None:
            raise OpTypeError(QueueUsed())

    def __reduce__(self) -> Any:
        raise OpNotImplementedError("a queue belongs to its process, and cannot be pickled: pass its elements")


def _counted(components: int) -> str:
    return "1 component" if components == 1 else f"{components} components"


def _listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else [values]


def _stacked(rows: list[Any], shape: TensorShape, dtype: DType) -> Any:
    """Components as the rows of one array; smaller ones are filled up with 0, or with the empty string."""
    known = [0 if size is None else size for size in shape]
    sizes = [max([row.shape[axis] for row in rows], default=size) for axis, size in enumerate(known)]
    out = np.full((len(rows), *sizes), b"" if dtype is tensor_dtypes.string else 0, dtype.numpy_dtype)
    for i, row in enumerate(rows):
        place: Any = (i, *map(slice, row.shape))
        out[place] = row if row.shape else row[()]
    return out


@export("queue.FIFOQueue")
class FIFOQueue(QueueBase):
    """Elements leave in the order in which they came.

    >>> import whygrad as tf
    >>> queue = tf.queue.FIFOQueue(10, tf.int32, shapes=[()])
    >>> queue.enqueue_many([[1, 2, 3]])
    >>> queue.dequeue().numpy(), queue.dequeue_many(2).numpy()
    (np.int32(1), array([2, 3], dtype=int32))
    """

    def __init__(
        self,
        capacity: Any,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: Any = None,
        name: str = "fifo_queue",
    ) -> None:
        super().__init__(capacity, dtypes, shapes, names, "FIFOQueueV2")
        self._elements: list[Element] = []

    def _put(self, element: Element) -> None:
        self._elements.append(element)

    def _take(self) -> Element:
        return self._elements.pop(0)

    def __len__(self) -> int:
        return len(self._elements)


@export("queue.PaddingFIFOQueue")
class PaddingFIFOQueue(FIFOQueue):
    """A `FIFOQueue` of components of several sizes: `dequeue_many` fills them up with 0.

    >>> import whygrad as tf
    >>> queue = tf.queue.PaddingFIFOQueue(10, tf.int32, shapes=[[None]])
    >>> queue.enqueue([[1]])
    >>> queue.enqueue([[2, 3]])
    >>> queue.dequeue_many(2).numpy().tolist()
    [[1, 0], [2, 3]]
    """

    _needs_full_shapes = False

    def __init__(
        self,
        capacity: Any,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: Any = None,
        name: str = "padding_fifo_queue",
    ) -> None:
        if shapes is None:
            raise OpValueError("When providing partial shapes, a list of shapes must be provided.")
        if len(shapes) != len(_listed(dtypes)):
            raise OpValueError(
                f"Shapes must be provided for all components, but received {len(_listed(dtypes))} dtypes and {len(shapes)} shapes."
            )
        super().__init__(capacity, dtypes, shapes, names)


@export("queue.RandomShuffleQueue")
class RandomShuffleQueue(FIFOQueue):
    """Elements leave in random order. While the queue is open, `min_after_dequeue` elements stay in it, for a good mixture.

    >>> import whygrad as tf
    >>> queue = tf.queue.RandomShuffleQueue(10, 0, tf.int32, shapes=[()], seed=1)
    >>> queue.enqueue_many([[1, 2, 3]])
    >>> sorted(queue.dequeue_many(3).numpy().tolist())
    [1, 2, 3]
    """

    def __init__(
        self,
        capacity: Any,
        min_after_dequeue: Any,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: Any = None,
        shared_name: Any = None,
        name: str = "random_shuffle_queue",
    ) -> None:
        super().__init__(capacity, dtypes, shapes, names)
        self._least = integer(min_after_dequeue, "min_after_dequeue")
        if self._least >= self._capacity:
            raise invalid(
                f"min_after_dequeue {self._least} must be < capacity {self._capacity} [Op:RandomShuffleQueueV2]"
            )
        self._random = np.random.default_rng(None if seed is None else abs(integer(seed, "seed")))

    def _kept_back(self) -> int:
        return self._least

    def _take(self) -> Element:
        place = int(self._random.integers(len(self._elements)))
        self._elements[place], self._elements[-1] = self._elements[-1], self._elements[place]
        return self._elements.pop()


@export("queue.PriorityQueue")
class PriorityQueue(QueueBase):
    """Elements leave by their first component, an int64: the least first, and of equal ones the first that came.

    >>> import whygrad as tf
    >>> queue = tf.queue.PriorityQueue(10, tf.string, [()])
    >>> queue.enqueue((5, "later"))
    >>> queue.enqueue((2, "soon"))
    >>> queue.dequeue()[1].numpy()
    b'soon'
    """

    def __init__(
        self,
        capacity: Any,
        types: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: Any = None,
        name: str = "priority_queue",
    ) -> None:
        given = None if shapes is None else [TensorShape(()), *_listed(shapes)]
        super().__init__(capacity, [tensor_dtypes.int64, *_listed(types)], given, names, "PriorityQueueV2")
        self._heap: list[tuple[int, int, Element]] = []
        self._arrivals = itertools.count()

    def _put(self, element: Element) -> None:
        heapq.heappush(self._heap, (int(value_of(element[0])), next(self._arrivals), element))

    def _take(self) -> Element:
        return heapq.heappop(self._heap)[2]

    def __len__(self) -> int:
        return len(self._heap)

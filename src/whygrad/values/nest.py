"""Nested structures, as in `tf.nest`: dicts by sorted key, sequences and namedtuples in order.

A class opts in with `__tf_flatten__` and `__tf_unflatten__` (TensorFlow's protocol for dataclasses).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MappingView, Sequence
from typing import Any

from whygrad._public import export
from whygrad.values.arguments import flag
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.faults import UnexpectedArgument

_LONGEST_KEY = 100


@export("nest.is_nested")
def is_nested(seq: Any) -> bool:
    """Return whether `seq` is a list, tuple, dict or similar container rather than a single element.

    >>> import whygrad as tf
    >>> tf.nest.is_nested([1]), tf.nest.is_nested({}), tf.nest.is_nested("text"), tf.nest.is_nested(tf.ones(2))
    (True, True, False, False)
    """
    kind = type(seq)
    known = _nested_types.get(kind)
    if known is None:
        known = _nested_types[kind] = _is_nested_type(kind)
    return known


_nested_types: dict[type, bool] = {}  # cached by type: queried for every element of every structure


def _is_nested_type(kind: type) -> bool:
    if issubclass(kind, str | bytes):
        return False
    structured = hasattr(kind, "__tf_flatten__") or hasattr(kind, "__attrs_attrs__")
    return structured or issubclass(kind, Sequence | Mapping | MappingView)


def _is_flat(structure: Any) -> bool:
    """Return whether it is a list or tuple without nested structures, as most lists of sources are."""
    known = _nested_types.get
    return type(structure) in (list, tuple) and not [item for item in structure if known(type(item)) is not False]


@export("nest.flatten")
def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The elements of `structure` in order; a single element gives a list of one.

    With `expand_composites` an IndexedSlices, a ragged or a sparse tensor counts as the tensors that it consists of.

    >>> import whygrad as tf
    >>> tf.nest.flatten({"b": [1, 2], "a": (3, {"c": 4})})
    [3, 4, 1, 2]
    """
    if flag(expand_composites, "expand_composites"):
        return [part for each in flatten(structure) for part in _components(each)]
    if not is_nested(structure):
        return [structure]
    if _is_flat(structure):
        return list(structure)
    found: list[Any] = []
    pending = [structure]
    containers = 0
    while pending:  # a loop, since structures may be nested deeper than Python's stack allows
        item = pending.pop()
        if is_nested(item):
            containers += 1
            if containers % _MANY_CONTAINERS == 0:
                _check_finite(structure)
            pending.extend(reversed(children_of(item)))
        else:
            found.append(item)
    return found


def _components(element: Any) -> Sequence[Any]:
    """The tensors that an element consists of, or the element alone."""
    components = getattr(element, "_components", None)  # of an IndexedSlices
    return (element,) if components is None else components()


_MANY_CONTAINERS = 100_000


def _check_finite(structure: Any) -> None:
    """Raise RecursionError, as TensorFlow does, if a structure contains itself."""
    open_now: set[int] = set()  # the containers around the current item
    pending: list[tuple[Any, bool]] = [(structure, False)]
    while pending:
        item, is_done = pending.pop()
        if is_done:
            open_now.discard(id(item))
        elif is_nested(item):
            if id(item) in open_now:
                raise RecursionError("a nested structure contains itself: it has no end")
            open_now.add(id(item))
            pending.append((item, True))
            pending.extend((child, False) for child in children_of(item))


def paths(structure: Any) -> list[tuple[Any, ...]]:
    """The path to each element of `flatten`: the keys, indices and field names that lead to it."""
    found: list[tuple[Any, ...]] = []
    pending: list[tuple[tuple[Any, ...], Any]] = [((), structure)]
    while pending:
        path, item = pending.pop()
        if not is_nested(item):
            found.append(path)
            continue
        keys = sorted_keys(item) if isinstance(item, Mapping) else range(len(children_of(item)))
        pending.extend(reversed([((*path, key), child) for key, child in zip(keys, children_of(item))]))
    return found


def shown_key(key: Any) -> str:
    """A key of a path in messages: as the program writes it, without its middle where that is long.

    >>> shown_key("w"), shown_key(0)
    ("'w'", '0')
    >>> shown_key("a" * 1000)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…aaaaaaaaaaa'"
    """
    text = repr(key)
    return text if len(text) <= _LONGEST_KEY else f"{text[:40]}…{text[-12:]}"


@export("nest.pack_sequence_as")
def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any], expand_composites: bool = False) -> Any:
    """Arrange the elements of `flat_sequence` in the structure of `structure`.

    >>> import whygrad as tf
    >>> tf.nest.pack_sequence_as({"b": [0, 0], "a": 0}, [1, 2, 3])
    {'b': [2, 3], 'a': 1}
    """
    if not is_nested(flat_sequence):
        raise OpTypeError(
            f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found incompatible type "
            f"`{type(flat_sequence)}` instead."
        )
    if flag(expand_composites, "expand_composites"):
        return _pack_components(structure, flat_sequence)
    if not is_nested(structure):
        if len(flat_sequence) != 1:
            raise OpValueError(
                "The target structure is of type "
                f"`{type(structure)}`\n  {structure}\nHowever the input is a sequence ({type(flat_sequence)}) of length "
                f"{len(flat_sequence)}.\n  {flat_sequence}\nnest cannot guarantee that it is safe to map one to the other."
            )
        return flat_sequence[0]
    wanted = len(structure) if (is_flat := _is_flat(structure)) else len(flatten(structure))
    if wanted != len(flat_sequence):
        raise OpValueError(
            f"Could not pack sequence. Structure had {wanted} atoms, but flat_sequence had {len(flat_sequence)} items.  "
            f"Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return type(structure)(flat_sequence) if is_flat else _rebuild_from(structure, flat_sequence)


def _pack_components(structure: Any, flat_sequence: Sequence[Any]) -> Any:
    """`pack_sequence_as` for a sequence in which composites are expanded."""
    elements = flatten(structure)
    counts = [len(_components(each)) for each in elements]
    if sum(counts) != len(flat_sequence):
        raise OpValueError(
            f"Could not pack sequence. Structure had {sum(counts)} atoms, but flat_sequence had {len(flat_sequence)} items.  "
            f"Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    left = iter(flat_sequence)
    parts = [[next(left) for _ in range(count)] for count in counts]
    whole = [
        each._with_components(own) if hasattr(each, "_components") else own[0] for each, own in zip(elements, parts)
    ]
    return pack_sequence_as(structure, whole)


@export("nest.map_structure")
def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Apply `func` to corresponding elements of the structures; the result has the structure of the first.

    >>> import whygrad as tf
    >>> tf.nest.map_structure(lambda x, y: x + y, {"a": 1, "b": [2]}, {"a": 10, "b": [20]})
    {'a': 11, 'b': [22]}
    """
    if not callable(func):
        raise OpTypeError(f"func must be callable, got: {func}")
    if not structure:
        raise OpValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    expand = kwargs.pop("expand_composites", False)
    if kwargs:
        raise OpValueError(
            f"Only valid keyword arguments are `check_types` and `expand_composites`, not: `{'`, `'.join(kwargs)}`"
        )
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types=check_types)
    flat = [flatten(s, expand) for s in structure]
    return pack_sequence_as(structure[0], [func(*items) for items in zip(*flat)], expand)


@export("nest.assert_same_structure")
def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raise unless both have the same structure: ValueError for another structure, TypeError for another container type.

    >>> import whygrad as tf
    >>> tf.nest.assert_same_structure([1, (2, 3)], ["a", ("b", "c")])
    """
    try:
        check_types = bool(check_types)
    except ValueError:
        raise OpTypeError(
            UnexpectedArgument(expected="bool", parameter="check_types", shown=type(check_types).__name__)
        ) from None
    try:
        _compare(nest1, nest2, check_types)
    except (ValueError, TypeError) as error:
        outlines = [pack_sequence_as(nest, [_DOT] * len(flatten(nest))) for nest in (nest1, nest2)]
        raise type(error)(
            f"The two structures don't have the same nested structure.\n\nFirst structure: {_shown_structure(nest1)}\n\n"
            f"Second structure: {_shown_structure(nest2)}\n\nMore specifically: {error}\n"
            f"Entire first structure:\n{outlines[0]}\nEntire second structure:\n{outlines[1]}"
        ) from None


class _Dot:
    """Placeholder for an element when only the structure is shown."""

    def __repr__(self) -> str:
        return "."


_DOT = _Dot()


def _shown_structure(value: Any) -> str:
    return f"type={type(value).__name__} str={value!s}"


def _compare(a: Any, b: Any, check_types: bool) -> None:
    if is_nested(a) != is_nested(b):
        nested, single = (a, b) if is_nested(a) else (b, a)
        raise OpValueError(
            f'Substructure "{_shown_structure(nested)}" is a sequence, while substructure "{_shown_structure(single)}" is not'
        )
    if not is_nested(a):
        return
    if check_types and type(a) is not type(b) and not _interchangeable(a, b):
        raise OpTypeError(
            f"The two namedtuples don't have the same sequence type. First structure {_shown_structure(a)} has type "
            f"{type(a).__name__}, while second structure {_shown_structure(b)} has type {type(b).__name__}"
        )
    if isinstance(a, Mapping) and isinstance(b, Mapping) and set(a) != set(b):
        raise OpValueError(
            f"The two dictionaries don't have the same set of keys. First structure has keys {_shown_structure(list(a))}, while "
            f"second structure has keys {_shown_structure(list(b))}"
        )
    children_a, children_b = children_of(a), children_of(b)
    if len(children_a) != len(children_b):
        raise OpValueError(
            f"The two structures don't have the same number of elements. First structure: {_shown_structure(a)}. Second structure: "
            f"{_shown_structure(b)}"
        )
    for x, y in zip(children_a, children_b):
        _compare(x, y, check_types)


def _interchangeable(a: Any, b: Any) -> bool:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return True
    if _is_namedtuple(a) and _is_namedtuple(b):
        return type(a).__name__ == type(b).__name__ and a._fields == b._fields
    return isinstance(a, list) and isinstance(b, list)


def _is_namedtuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def children_of(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [value[key] for key in sorted_keys(value)]
    if hasattr(type(value), "__tf_flatten__"):
        return list(value.__tf_flatten__()[1])
    if hasattr(type(value), "__attrs_attrs__"):
        return [getattr(value, attribute.name) for attribute in type(value).__attrs_attrs__]
    return list(value)


def sorted_keys(mapping: Mapping[Any, Any]) -> list[Any]:
    try:
        return sorted(mapping)
    except TypeError:
        raise OpTypeError("nest only supports dicts with sortable keys.") from None


def _rebuild_from(structure: Any, elements: Iterable[Any]) -> Any:
    elements = iter(elements)
    if not is_nested(structure):
        return next(elements)
    children = [_rebuild_from(child, elements) for child in children_of(structure)]
    return rebuild(structure, children)


def rebuild(structure: Any, children: list[Any]) -> Any:
    """A container like `structure` that contains `children`."""
    if isinstance(structure, Mapping):
        by_key = dict(zip(sorted_keys(structure), children))
        in_order = [(key, by_key[key]) for key in structure]
        if hasattr(structure, "default_factory"):
            return type(structure)(structure.default_factory, in_order)  # type: ignore[call-arg]
        try:
            return type(structure)(in_order)  # type: ignore[call-arg]
        except TypeError:
            return dict(in_order)
    if hasattr(type(structure), "__tf_flatten__"):
        metadata = structure.__tf_flatten__()[0]
        return type(structure).__tf_unflatten__(metadata, tuple(children))
    if _is_namedtuple(structure) or hasattr(type(structure), "__attrs_attrs__"):
        return type(structure)(*children)
    if isinstance(structure, range | MappingView):
        return children
    return type(structure)(children)

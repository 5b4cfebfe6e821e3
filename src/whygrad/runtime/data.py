"""Base classes for data: small classes of named fields, such as an op's traits and what an op refused, and named constants.

A class made by `dataclasses`, `NamedTuple` or `Enum` costs `import whygrad` ten times as much, and there are many.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Data:
    """Fields as annotated, with the class's values as defaults, compared by value.

    >>> class Point(Data):
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1).replace(y=2) == Point(x=1, y=2)
    (Point(x=1), True)
    """

    __match_args__: ClassVar[tuple[str, ...]]  # the names of the fields, as `match` reads them
    _names: ClassVar[frozenset[str]]
    _required: ClassVar[frozenset[str]]  # those without a default

    def __init__(self, *values: Any, **fields: Any) -> None:
        kind = type(self)
        if "_names" not in kind.__dict__:
            _find_fields(kind)
        if values:
            names = kind.__match_args__
            if len(values) > len(names) or not fields.keys().isdisjoint(names[: len(values)]):
                raise TypeError(f"{kind.__name__} takes each of these once: {', '.join(names) or 'nothing'}")
            fields.update(zip(names, values))
        given = fields.keys()
        if not (given >= kind._required and given <= kind._names):
            wrong = ", ".join(sorted((kind._required - given) | (given - kind._names)))
            raise TypeError(f"{kind.__name__} has the fields {', '.join(kind.__match_args__) or 'none'}: check {wrong}")
        self.__dict__.update(fields)

    def replace(self, **fields: Any) -> Self:
        """The same, with other values for these fields."""
        return type(self)(**vars(self) | fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), *self._values()))

    def _values(self) -> list[Any]:
        return [getattr(self, name) for name in self.__match_args__]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def _find_fields(kind: type[Data]) -> None:
    """Read the fields off the annotations: at the first instance, because most classes of faults never have one."""
    names: list[str] = []
    for base in reversed(kind.__mro__):
        if issubclass(base, Data) and base is not Data:
            names += [name for name, of in base.__annotations__.items() if not str(of).startswith("ClassVar")]
    kind.__match_args__ = tuple(dict.fromkeys(names))  # type: ignore[misc]  # mypy takes it for a constant
    kind._names = frozenset(names)
    kind._required = frozenset([name for name in names if not hasattr(kind, name)])


class Choice:
    """One of the constants that its class is annotated with, compared by identity.

    >>> class Side(Choice):
    ...     LEFT: ClassVar[Side]
    ...     RIGHT: ClassVar[Side]
    >>> Side.LEFT, Side.LEFT is Side.LEFT, Side.LEFT == Side.RIGHT
    (Side.LEFT, True, False)
    """

    __slots__ = ("name",)
    name: str

    def __init_subclass__(cls) -> None:
        for name in cls.__annotations__:
            choice = object.__new__(cls)
            choice.name = name
            setattr(cls, name, choice)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (type(self), self.name)  # copied and unpickled, it is the same object

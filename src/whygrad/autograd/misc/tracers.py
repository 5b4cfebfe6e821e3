"""Graphs of what a function computes: one that is computed again with other numbers, and one to look at."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from whygrad.autograd.tracing import Node, trace
from whygrad.autograd.util import subvals, toposort


class ConstGraphNode(Node):
    """A function with all arguments but the traced ones fixed."""

    def __init__(self, value: Any, fun: Any, args: Any, kwargs: Any, parent_argnums: Any, parents: Any) -> None:
        self.parents = parents
        self.partial_fun = lambda values: fun(*subvals(args, zip(parent_argnums, values)), **kwargs)

    def initialize_root(self) -> None:
        """The argument of the whole function."""
        self.parents = ()


def const_graph(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
    """A function that runs `fun` when it is first called, and later computes the same graph again: branches and loops are fixed.

    >>> import whygrad.autograd.numpy as np
    >>> from whygrad.autograd.misc.tracers import const_graph
    >>> f = const_graph(lambda x, y: np.sin(x) * y)
    >>> f(0.0, 2.0), f(np.pi / 2, 3.0)
    (np.float64(0.0), np.float64(3.0))
    """
    function = functools.partial(fun, *args, **kwargs)
    graph: list[Any] = []

    @functools.wraps(fun)
    def computed(*rest: Any) -> Any:
        if not graph:
            value, end = trace(ConstGraphNode.new_root(), lambda given: function(*given), rest)
            if end is None:
                raise ValueError("the output of the function does not depend on its input")
            graph.extend(reversed(list(toposort(end))))
            return value
        values = {graph[0]: rest}
        for node in graph[1:]:
            values[node] = node.partial_fun([values[parent] for parent in node.parents])
        return values[graph[-1]]

    return computed


class FullGraphNode(Node):
    """A value and how it was computed: the function, its arguments, and the nodes of those that were computed themselves."""

    def __init__(self, value: Any, fun: Any, args: Any, kwargs: Any, parent_argnums: Any, parents: Any) -> None:
        self.value = value
        self.recipe = (fun, args, kwargs, list(zip(parent_argnums, parents)))

    def initialize_root(self) -> None:
        """The argument of the whole function."""
        self.value = None
        self.recipe = (lambda x: x, (), {}, [])


def full_graph(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The node of `fun(*args, **kwargs)`; the others are reached from its `recipe`."""
    return trace(FullGraphNode.new_root(), lambda given: fun(*given, **kwargs), args)[1]

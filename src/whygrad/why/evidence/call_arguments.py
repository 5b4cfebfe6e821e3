"""Which argument of a call in the program an op inside of that call computes with.

`tf.nn.batch_normalization(x, mean, variance, ...)` computes several ops at one place in the program. Its root is taken of the third
argument, not of the first.
"""

from __future__ import annotations

import ast

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key, Tensor
from whygrad.values.variable import Variable
from whygrad.why.evidence.call_evidence import CallEvidence
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.source import syntax
from whygrad.why.source.names import value_of
from whygrad.why.source.sites import node_at, operand_nodes
from whygrad.why.source.stand_ins import resolved


def is_part_of_call(history: History, record: Record) -> bool:
    """Whether the call at an op's place computed other ops too, which made its operands or used its result."""
    node = node_at(record.code, record.instruction)
    if not isinstance(node, ast.Call) or syntax.called_name(node) == record.plan.primitive.name:
        return False
    makers = [history.made_by.get(key) for key in record.inputs]
    users = [user for key in outputs_of(record) for user in history.used_by.get(key, ())]
    return any(isinstance(each, Record) and _is_at(each, record) for each in (*makers, *users))


def argument_behind(evidence: CallEvidence, history: History, record: Record, position: int) -> ast.expr | None:
    """The argument of the call from which an input of an op was computed; None if it is not known, or not one alone."""
    given = _given_to_call(history, record, record.inputs[position])
    node = node_at(record.code, record.instruction)
    arguments = [each for each in operand_nodes(node) if not _is_literal(each)]
    found = [each for each in arguments if _holds(evidence, history, record, each, given)]
    if len(found) == 1:
        return found[0]
    return arguments[0] if len(arguments) == 1 and not found else None


def _is_at(record: Record, other: Record) -> bool:
    return (record.code, record.instruction) == (other.code, other.instruction)


def _given_to_call(history: History, record: Record, key: Key) -> set[Key]:
    """The values from outside of the call from which its op's input was computed."""
    seen, pending = {key}, [key]
    given = set()
    while pending:
        key = pending.pop()
        maker = history.made_by.get(key)
        if isinstance(maker, Record) and _is_at(maker, record):
            pending += [each for each in maker.inputs if each not in seen]
            seen.update(maker.inputs)
        else:
            given.add(key)
    return given


def _is_literal(node: ast.expr) -> bool:
    """Whether an argument is a number or a text, which may have a sign."""
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _holds(evidence: CallEvidence, history: History, record: Record, argument: ast.expr, given: set[Key]) -> bool:
    """Whether an argument is one of the values that were given: a name of it, or the expression that computed it."""
    value = resolved(value_of(argument, record.code))
    if isinstance(value, Tensor | Variable) and not given.isdisjoint(evidence.values_of(value)):
        return True
    written: ast.AST = argument
    scope = syntax.scope_of(argument)
    if isinstance(argument, ast.Name | ast.Attribute) and scope is not None:
        assigned = syntax.assignment_before(scope, ast.unparse(argument), argument.lineno)
        written = argument if assigned is None else assigned[1]
    parts = set(ast.walk(written))
    makers = [maker for key in given if isinstance(maker := history.made_by.get(key), Record)]
    return any(each.code is record.code and node_at(each.code, each.instruction) in parts for each in makers)

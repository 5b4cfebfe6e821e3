"""EmptySources: a call of `gradient` with an empty list of sources, and the variables that its target was computed from."""

from __future__ import annotations

import ast

from whygrad.values.variable import Variable
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.kept_values import kept_at
from whygrad.why.source.names import gradient_names, name_given_to
from whygrad.why.source.sites import Site, argument_node, site, site_of
from whygrad.why.source.wording import described, quoted


class EmptySources:
    """What is known of an empty list of sources."""

    def __init__(self, question: Question) -> None:
        call, evidence = question.call, question.evidence
        self.evidence, self.call_site, self.code = evidence, question.call_site, call.code
        targets, _ = gradient_names(call.code, call.instruction, max(len(call.targets), 1), 0)
        node = argument_node(call.code, call.instruction, 1, "sources")
        written = quoted(ast.unparse(node)) if node is not None else "the list of sources"
        self.target = quoted(targets[0])
        self.sentence = f"the gradient of {self.target} is empty: {written} holds no variables"
        towards = evidence.tape_history.towards(evidence.target_keys)
        watched = evidence.watched_variables
        # The variables that the target was computed from, and where they were made, as far as a trace has noted that.
        self.variables = [each for each, values in watched.items() if any(key in towards for key in values)]
        self.made = [place for place in map(self._made_at, self.variables) if place is not None]
        self.shapes = {name_given_to(each) or "Variable": described(each) for each in self.variables[:4]}
        self.collected = self._collected_at(node)

    def _made_at(self, variable: Variable) -> Site | None:
        key = next(iter(self.evidence.traced_values_of(variable)), None)
        place = kept_at(self.evidence.stack_of(key)) if key is not None else None
        return None if place is None else site(*place, "made here", described(variable))

    def _collected_at(self, node: ast.expr | None) -> Site | None:
        """Where the list of sources was put together, if that was before the call of gradient."""
        if not isinstance(node, ast.Name | ast.Attribute):
            return None
        found = syntax.assignment_before(self.call_site.scope, ast.unparse(node), node.lineno)
        if found is None or not isinstance(found[0], ast.Assign | ast.AnnAssign):
            return None
        return site_of(found[1], self.call_site.file, "collected here")

"""Rewrite `match`: each pattern becomes a test, so that what it looks at is asked for."""

from __future__ import annotations

import ast
from collections.abc import Callable

from sharedstate.interleave.rewrite.requests import Requests, load, place, put
from sharedstate.interleave.rewrite.scope import Scope


class Patterns:
    """One `match` statement: first which case it is, then the body of that case."""

    def __init__(self, scope: Scope, expressions: Requests, store: Callable, block: Callable) -> None:
        self.scope, self.expressions, self.store, self.block = scope, expressions, store, block
        self.captures: dict[str, str] = {}

    def match(self, node: ast.Match) -> list[ast.stmt]:
        """The statements: each case after the one before has not fitted."""
        subject = self.scope.fresh("subject")
        rest: list[ast.stmt] = []
        made = [self._case(case, subject) for case in node.cases]
        for build in reversed(made):
            rest = build(rest)
        first = place(put(subject, self.expressions.visit(node.subject)), node.subject)
        return [first, *rest]

    def _case(self, case: ast.match_case, subject: str) -> Callable[[list[ast.stmt]], list[ast.stmt]]:
        """A function that gives the statements of one case; it is handed what follows if the case does not fit."""
        self.captures = {}
        here = case.pattern
        test = self.test(here, subject)
        found: list[ast.stmt] = []
        for name, kept in self.captures.items():
            found += self.store(place(ast.Name(name, ast.Store()), here), load(kept), self.expressions)
        for statement in found:
            place(statement, here)
        if case.guard is None:
            body = [*found, *self.block(case.body)]
            return lambda rest: [place(ast.If(test, body, rest), here)]
        hit, guarded = self.scope.fresh("hit"), case.guard
        reset = place(put(hit, ast.Constant(False)), here)
        guard = place(put(hit, self.expressions.test(case.guard)), case.guard)
        asked = place(ast.If(test, [*found, guard], []), here)
        body = self.block(case.body)
        return lambda rest: [reset, asked, place(ast.If(load(hit), body, rest), guarded)]

    def test(self, pattern: ast.pattern, subject: str) -> ast.expr:
        """An expression that is true if the object under this name fits the pattern."""
        made = getattr(self, f"_{type(pattern).__name__}")(pattern, subject)
        for node in ast.walk(made):
            if "lineno" in node._attributes and not hasattr(node, "lineno"):
                place(node, pattern)
        return made

    def _MatchValue(self, node: ast.MatchValue, subject: str) -> ast.expr:
        value = place(ast.Compare(load(subject), [ast.Eq()], [node.value]), node)
        return self.expressions.test(value)

    def _MatchSingleton(self, node: ast.MatchSingleton, subject: str) -> ast.expr:
        return ast.Compare(load(subject), [ast.Is()], [ast.Constant(node.value)])

    def _MatchAs(self, node: ast.MatchAs, subject: str) -> ast.expr:
        capture = self._capture(node.name, load(subject)) if node.name else ast.Constant(True)
        if node.pattern is None:
            return capture
        return ast.BoolOp(ast.And(), [self.test(node.pattern, subject), capture])

    def _MatchOr(self, node: ast.MatchOr, subject: str) -> ast.expr:
        return ast.BoolOp(ast.Or(), [self.test(pattern, subject) for pattern in node.patterns])

    def _MatchSequence(self, node: ast.MatchSequence, subject: str) -> ast.expr:
        """Elements before and after a star; the star's own come as a list, and only if they are wanted."""
        star = next((i for i, p in enumerate(node.patterns) if isinstance(p, ast.MatchStar)), None)
        patterns, wanted = list(node.patterns), f"{len(node.patterns)}"
        if star is not None:
            named = getattr(patterns[star], "name", None) is not None
            wanted = f"{star}{'+' if named else '-'}{len(patterns) - star - 1}"
            if not named:
                del patterns[star]
        if all(isinstance(part, ast.MatchAs) and part.name is None for part in patterns):
            wanted, patterns = (f"{len(patterns)}=0" if star is None else f"{len(patterns)}~0"), []
        parts = self.scope.fresh("parts")
        tests = [self._parts(parts, self.expressions.ask("match_sequence", wanted, node, load(subject)))]
        for number, pattern in enumerate(patterns):
            if isinstance(pattern, ast.MatchStar) and pattern.name:
                tests.append(self._capture(pattern.name, _item(parts, number)))
            else:
                tests.append(self._part(pattern, parts, number))
        return ast.BoolOp(ast.And(), tests) if len(tests) > 1 else tests[0]

    def _MatchMapping(self, node: ast.MatchMapping, subject: str) -> ast.expr:
        parts = self.scope.fresh("parts")
        keys = ast.Tuple([self.expressions.visit(key) for key in node.keys], ast.Load())
        request = self.expressions.ask("match_mapping", "rest" if node.rest else "", node, load(subject), keys)
        tests = [self._parts(parts, request)]
        tests += [self._part(pattern, parts, number) for number, pattern in enumerate(node.patterns)]
        if node.rest:
            tests.append(self._capture(node.rest, _item(parts, len(node.patterns))))
        return ast.BoolOp(ast.And(), tests) if len(tests) > 1 else tests[0]

    def _MatchClass(self, node: ast.MatchClass, subject: str) -> ast.expr:
        parts = self.scope.fresh("parts")
        cls, names = self.expressions.visit(node.cls), ast.Tuple([ast.Constant(a) for a in node.kwd_attrs], ast.Load())
        request = self.expressions.ask("match_class", str(len(node.patterns)), node, load(subject), cls, names)
        tests = [self._parts(parts, request)]
        for number, pattern in enumerate([*node.patterns, *node.kwd_patterns]):
            tests.append(self._part(pattern, parts, number))
        return ast.BoolOp(ast.And(), tests) if len(tests) > 1 else tests[0]

    # -- parts -----------------------------------------------------------------------------------------

    @staticmethod
    def _parts(name: str, request: ast.expr) -> ast.expr:
        """Keep the parts that a request found; None if the pattern does not fit."""
        kept = ast.NamedExpr(ast.Name(name, ast.Store()), request)
        return ast.Compare(kept, [ast.IsNot()], [ast.Constant(None)])

    def _part(self, pattern: ast.pattern, parts: str, number: int) -> ast.expr:
        """One part must fit its own pattern."""
        name = self.scope.fresh("part")
        kept = ast.Tuple([ast.NamedExpr(ast.Name(name, ast.Store()), _item(parts, number))], ast.Load())
        return ast.BoolOp(ast.And(), [kept, self.test(pattern, name)])

    def _capture(self, name: str, value: ast.expr) -> ast.expr:
        """Keep what a name will be bound to if the whole pattern fits; always true."""
        kept = self.captures.setdefault(name, self.scope.fresh("capture"))
        return ast.Tuple([ast.NamedExpr(ast.Name(kept, ast.Store()), value)], ast.Load())


def _item(parts: str, number: int) -> ast.expr:
    return ast.Subscript(load(parts), ast.Constant(number), ast.Load())

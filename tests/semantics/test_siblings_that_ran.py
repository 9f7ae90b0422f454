"""Hierarchies of small classes, run by CPython: what a template method really gave must be among the origins.

CALLS_THAT_RAN=20000 asks for that many programs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.semantics.test_calls_that_ran import contradicted, missed

PROGRAMS = int(os.environ.get("CALLS_THAT_RAN", "60"))
MANY = settings(
    max_examples=PROGRAMS,
    derandomize="CALLS_THAT_RAN" not in os.environ,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)

MADE = ("make", "build")  # what classes override: a method, and a class method
KEPT = ("s", "t")  # attributes in which a method above keeps what these give
# What a class may have beside them; `{made}` and `{kept}` are drawn, `{owner}` is the class itself, `{other}` any one.
METHODS = (
    ("keep", "self", ("self.{kept} = self.{made}()",)),
    ("keep", "self", ("{owner}.{kept} = self.{made}()",)),
    ("keep", "self", ("type(self).{kept} = self.{made}()",)),
    ("keep", "self", ("self.{kept} = self.give()",)),
    ("keep", "self", ("made: {other} = {other}()", "made.{kept} = self.{made}()", "return made")),
    ("give", "self", ("return self.{made}()",)),
    ("give", "self", ("self.keep()", "return self.{kept}")),
    ("give", "self", ("return super().give()",)),
    ("give", "self", ("return [self.{made}()][0]",)),
    ("every", "self", ("yield self.{made}()",)),
    ("every", "self", ("return [self.{made}(), self.give()]",)),
    ("own", "@property", ("return self.{made}()",)),
    ("start", "@classmethod", ("cls.{kept} = cls.build()",)),
    ("start", "@classmethod", ("return cls.build()",)),
    ("start", "@classmethod", ("return cls()",)),
    ("start", "@classmethod", ("return cls().{made}()",)),
)
# What is put into a container may come from a class that is not above the one that reads it: then `?` is told.
POOLS = (
    ("put", "self", ("self.pool.append(self.{made}())",)),
    ("put", "self", ("_ALL.append(self.{made}())", "return _ALL[0]")),
)
USES = (
    "self.{kept}.m()",
    "self.{kept}()",
    "self.give().n()",
    "self.own.m()",
    "self.start().m()",
    "self.start().build()",
    "self.put().n()",
    "self.keep().s.n()",
    "self.pool[0].m()",
    "[one.n() for one in self.every()]",
)
CALLS = ("keep()", "give().n()", "put()", "start()", "start().m()", "s.m()", "t.n()", "own.n()", "use()", "use()")
PRELUDE = """\
import contextlib, markers
_ALL = []
def holds(asked, name, one): return isinstance(one, next(each for each in asked.__mro__ if name in vars(each)))
"""


@dataclass
class Hierarchy:
    """Writes one program."""

    draw: st.DrawFn
    followed: bool  # leaves out what the engine does not claim to follow

    def of(self, choices: Sequence[str]) -> str:
        return self.draw(st.sampled_from(choices))

    def some(
        self, choices: Sequence[tuple[str, str, Sequence[str]]], most: int
    ) -> list[tuple[str, str, Sequence[str]]]:
        return self.draw(st.lists(st.sampled_from(choices), max_size=most))

    def filled(self, line: str, owner: str, names: Sequence[str]) -> str:
        return line.format(made=self.of(MADE), kept=self.of(KEPT), owner=owner, other=self.of(names))

    def klass(self, name: str, names: Sequence[str]) -> list[str]:
        above = self.draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)) if names else []
        lines = [f"class {name}({', '.join(sorted(above, reverse=True))}):"]
        if not above:
            lines += [f"    {kept} = None" for kept in KEPT] + ["    pool = []"]
        if not above or self.draw(st.booleans()):
            lines += [f"    def make(self): return markers.{name.lower()}"]
        if not above or self.draw(st.booleans()):
            lines += ["    @classmethod", f"    def build(cls): return markers.{name}"]
        for method, how, body in self.some(METHODS if self.followed else METHODS + POOLS * 2, 3 if above else 6):
            lines += [f"    {how}"] if how[0] == "@" else []
            lines += [f"    def {method}({'cls' if how == '@classmethod' else 'self'}):"]
            lines += [f"        {self.filled(line, name, [*names, name])}" for line in body]
        uses = self.draw(st.lists(st.sampled_from(USES), min_size=2, max_size=4))
        lines += ["    def use(self):"]
        return lines + [
            f"        with contextlib.suppress(Exception): {self.filled(one, name, [name])}" for one in uses
        ]

    def program(self) -> str:
        names: list[str] = []
        lines = PRELUDE.splitlines()
        for letter in "ABCDE"[: self.draw(st.integers(2, 5))]:
            lines += self.klass(letter, names)
            names.append(letter)
        made = [f"i{name} = {name}()" for name in names]
        receivers = [*(f"i{name}" for name in names), *names]
        calls = [self.call(receivers, names) for _ in range(self.draw(st.integers(4, 12)))]
        return "\n".join(
            [
                *lines,
                *made,
                *(f"with contextlib.suppress(Exception): {one}" for one in calls),
                *(f"with contextlib.suppress(Exception): i{name}.use()" for name in names),
                "",
            ]
        )

    def call(self, receivers: Sequence[str], names: Sequence[str]) -> str:
        receiver, call = self.of(receivers), self.of(CALLS)
        if receiver in names and not call.startswith(("start", "s.", "t.")):  # the class hands a method its `self`
            given, name = self.of(receivers[: -len(names)]), call.partition("(")[0].partition(".")[0]
            return f"holds({receiver}, '{name}', {given}) and {receiver}.{call.replace('()', f'({given})', 1)}"
        return f"{receiver}.{call}"


def hierarchies(*, followed: bool) -> st.SearchStrategy[str]:
    return st.composite(lambda draw: Hierarchy(draw, followed).program())()


@MANY
@given(hierarchies(followed=True))
def test_what_a_template_method_gave_is_among_the_origins(text: str) -> None:
    assert not missed(text), text


@MANY
@given(hierarchies(followed=False))
def test_what_siblings_share_is_among_the_origins_or_they_are_not_all(text: str) -> None:
    assert not contradicted(text), text

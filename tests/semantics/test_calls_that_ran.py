"""Small programs, run by CPython: what a call really reached must be among the origins of its use.

CALLS_THAT_RAN=20000 asks for that many programs a property.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.ran import Spot, reached
from tests.uses import uses_of

PROGRAMS = int(os.environ.get("CALLS_THAT_RAN", "60"))
MANY = settings(
    max_examples=PROGRAMS,
    derandomize="CALLS_THAT_RAN" not in os.environ,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)

# Left out of the programs until the engine is mended: each has its example at the end of this file.
LEFT_OUT = frozenset({"a field that hides what the class has"})

CONSTANTS = ("A", "B", "C")  # bound once, before anything that reads them
VARIABLES = ("x", "y", "z")  # of module code and class bodies
LOCALS = ("u", "v", "w")  # of functions, which see those of the functions around them
METHODS = ("m", "n", "o")  # of classes, and of what is outside
LATER_BASES = ("K, markers.Base", "markers.Base, L", "markers.Base, markers.Other")
FIELDS = ("s", "t")  # of instances
MARKS = ("markers.a", "markers.b", "markers.A()", "markers.B()", "mark", "Made()")


@dataclass(frozen=True)
class Where:
    """What surrounds the statement that is written."""

    kind: str = "module"  # "module", "function", "generator", "class", "method"
    depth: int = 3
    in_loop: bool = False
    partly: bool = False  # in a statement that may not run
    targets: tuple[str, ...] = VARIABLES  # that a statement may bind
    names: tuple[str, ...] = (*VARIABLES, *CONSTANTS)  # that an expression may say
    functions: tuple[str, ...] = ("f", "g", "h", "K", "L")  # that are defined, or will be when this runs
    receiver: str = ""

    def inside(self, **changes: Any) -> Where:
        return replace(self, depth=self.depth - 1, **{"partly": True, **changes})


@dataclass
class Writer:
    """Writes one program; `followed` leaves out what the engine does not claim to follow."""

    draw: st.DrawFn
    followed: bool
    definitions: list[str] = field(default_factory=list)
    managers: list[str] = field(default_factory=list)

    def of(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def attribute_name(self) -> str:
        return self.of(*METHODS, *FIELDS)

    def field_name(self) -> str:
        """Return the name of an attribute that is set."""
        return self.of(*FIELDS) if "a field that hides what the class has" in LEFT_OUT else self.attribute_name()

    def chance(self, of_ten: int) -> bool:
        return self.draw(st.integers(0, 9)) >= 10 - of_ten

    def target(self, here: Where) -> str:
        return self.of(*here.targets)

    def number(self, most: int) -> int:
        return self.draw(st.integers(0, most))

    # ---- expressions

    def value(self, here: Where, depth: int = 2) -> str:
        if not depth or self.chance(5):
            return self.leaf(here)
        inner = [
            self.attribute,
            self.call,
            self.choice,
            self.boolean,
            self.display,
            self.anonymous,
            self.walrus,
            self.adapted,
        ]
        inner += [self.comprehension]
        return inner[self.number(len(inner) - 1)](here, depth - 1)

    def leaf(self, here: Where) -> str:
        kind = self.number(5)
        if kind < 2:
            return self.of(*MARKS)
        if kind == 2 and here.functions:
            return self.of(*here.functions)
        if kind == 3 and here.receiver:
            return f"{here.receiver}.{self.attribute_name()}"
        return self.of(*here.names)

    def attribute(self, here: Where, depth: int) -> str:
        return f"{self.value(here, depth)}.{self.attribute_name()}"

    def callee(self, here: Where) -> str:
        return self.of(*here.functions) if here.functions and self.chance(7) else self.leaf(here)

    def call(self, here: Where, depth: int) -> str:
        return f"{self.callee(here)}({self.arguments(here, depth)})"

    def arguments(self, here: Where, depth: int) -> str:
        kind = self.number(5 if self.followed else 6)
        if kind < 2:
            return ""
        if kind < 4:
            return self.value(here, depth)
        if kind == 4:
            return f"{self.value(here, depth)}, {self.value(here, depth)}"
        return f"p={self.value(here, depth)}" if kind == 5 else f"*({self.value(here, depth)},)"

    def choice(self, here: Where, depth: int) -> str:
        return f"({self.value(here, depth)} if {self.test(here)} else {self.value(here, depth)})"

    def boolean(self, here: Where, depth: int) -> str:
        return f"({self.value(here, depth)} {self.of('or', 'and')} {self.value(here, depth)})"

    def display(self, here: Where, depth: int) -> str:
        one, other = self.value(here, depth), self.value(here, depth)
        return self.of("[{0}, {1}][1]", "({0}, {1})[0]", "{{'k': {0}, 'l': {1}}}['l']").format(one, other)

    def anonymous(self, here: Where, depth: int) -> str:
        inside = replace(here, names=(*here.names, "p"), targets=LOCALS)
        default = self.of("p", "p={0}", "p, q={0}").format(self.value(here, depth))
        return f"(lambda {default}: {self.value(inside, depth)})({self.value(here, depth)})"

    def walrus(self, here: Where, depth: int) -> str:
        return f"({self.target(here)} := {self.value(here, depth)})"

    def comprehension(self, here: Where, depth: int, item: str = "[0]") -> str:
        name = self.of("i", *here.targets)
        every = f"{self.value(here, depth)}, {self.value(here, depth)}"
        made = self.value(replace(here, names=(*here.names, name)), depth)
        form = self.of("[{made} for {name} in ({every})]", "[{made} for {name} in [{every}] if c()]")
        return form.format(made=made, name=name, every=every) + item

    def adapted(self, here: Where, depth: int) -> str:
        one = self.value(here, depth)
        return self.of("getattr({one}, 'm')", "functools.partial({one}, 1)").format(one=one)

    def test(self, here: Where) -> str:
        kind = self.number(5)
        if kind < 3:
            return "c()"
        if kind == 3:
            return self.of(*here.names)
        return f"({self.target(here)} := {self.value(here, 1)})" if kind == 4 else f"not {self.value(here, 1)}"

    # ---- statements

    def block(self, here: Where, most: int = 2) -> list[str]:
        lines = [line for _ in range(self.number(most) + 1) for line in self.statement(here)]
        return [f"    {line}" for line in lines]

    def statement(self, here: Where) -> list[str]:
        simple = [self.bind, self.bind, self.use, self.use, self.use, self.unpack, self.set_field, self.leave]
        if not here.depth:
            return simple[self.number(len(simple) - 1)](here)
        compound = [self.branch, self.loop, self.loop, self.trying, self.trying, self.entered]
        compound += [self.match]
        compound += [self.function, self.function, self.function, self.klass, self.klass]
        every = simple + compound
        return every[self.number(len(every) - 1)](here)

    def use(self, here: Where) -> list[str]:
        return [self.of("{0}()", "{0}.m()", "{0}()", "{0}.n", "{0}()()").format(self.callee(here))]

    def bind(self, here: Where) -> list[str]:
        name, kind = self.target(here), self.number(9)
        if here.kind == "class" and not here.partly and kind > 5:
            return [f"{self.of(*METHODS)} = {self.value(here)}"]
        if kind == 0:
            return [f"{self.of('c() and ', '')}r()"]
        if kind == 1:
            return [f"del {name}"]
        if kind == 2 and here.kind != "class":
            return [f"from markers import {self.of('a', 'b', 'A')} as {name}"]
        if kind == 3:
            return [f"{name} = {self.target(here)} = {self.value(here)}"]
        return [f"{name} = {self.value(here)}"]

    def unpack(self, here: Where) -> list[str]:
        first, second = self.target(here), self.target(here)
        form = self.of(
            "{a}, {b} = {v}, {w}", "({a}, {b}) = [{v}, {w}]", "{a}, *{b} = {v}, {w}", "[*{a}, {b}] = {v}, {w}"
        )
        return [form.format(a=first, b=second, v=self.value(here, 1), w=self.value(here, 1))]

    def set_field(self, here: Where) -> list[str]:
        target = here.receiver
        if not target:
            if self.followed:
                return self.use(here)
            target = self.of(*here.names)
        return [f"{target}.{self.field_name()} = {self.value(here)}"]

    def leave(self, here: Where) -> list[str]:
        kinds = ["raise Stop", "r()"]
        if here.kind == "generator":
            kinds += [f"yield {self.value(here)}"]
        elif here.kind in ("function", "method"):
            kinds += [f"return {self.value(here)}"] * 4
        if here.in_loop:
            kinds += ["break", "continue"] * 2
        how = self.of(*kinds)
        return [f"if {self.test(here)}: {how}"] if self.chance(6) else [how]

    def branch(self, here: Where) -> list[str]:
        lines = [f"if {self.test(here)}:", *self.block(here.inside())]
        if self.chance(3):
            lines += [f"elif {self.test(here)}:", *self.block(here.inside())]
        return [*lines, "else:", *self.block(here.inside())] if self.chance(6) else lines

    def loop(self, here: Where) -> list[str]:
        inside = replace(here.inside(), in_loop=True)
        every = f"{self.value(here, 1)}, {self.value(here, 1)}"
        head = self.of(
            "while c():",
            f"for {self.target(here)} in ({every}):",
            f"for {self.target(here)}, {self.target(here)} in [({every})]:",
            f"for {self.target(here)} in {self.value(here, 1)}:",
            f"for {self.target(here)} in {self.comprehension(here, 1, '')}:",
            self.asking(here),
        )
        lines = [head, *self.block(inside)]
        return [*lines, "else:", *self.block(here.inside())] if self.chance(4) else lines

    def asking(self, here: Where) -> str:
        return f"while ({self.target(here)} := {self.value(here, 1)}) and c():"

    def trying(self, here: Where) -> list[str]:
        lines, how = ["try:", *self.block(here.inside())], self.number(9)
        if how < 8:
            lines += [self.of("except Stop:", "except Exception:", "except:", f"except Stop as {self.target(here)}:")]
            lines += self.block(here.inside())
        if how < 3:
            lines += ["else:", *self.block(here.inside())]
        if how > 5:
            lines += ["finally:", *self.block(here.inside())]
        return lines

    def entered(self, here: Where) -> list[str]:
        if self.managers and self.chance(5):
            head = f"with {self.of(*self.managers)}() as {self.target(here)}:"
        else:
            head = self.of(
                f"with markers.A() as {self.target(here)}:",
                f"with {self.value(here, 1)} as {self.target(here)}:",
                "with contextlib.suppress(Exception):",
                f"with {self.of('Loud', 'Quiet', 'Quieter')}() as {self.target(here)}:",
                f"with contextlib.closing({self.of(*MARKS)}) as {self.target(here)}:",
            )
        return [head, *self.block(here.inside())]

    def match(self, here: Where) -> list[str]:
        lines = [f"match {self.of('[{0}, {1}]', '{0}').format(self.value(here, 1), self.value(here, 1))}:"]
        for _ in range(self.number(1) + 1):
            name = self.target(here)
            head = self.of(f"case [{name}, _]", f"case [_, {name}] if c()", f"case [*{name}]", f"case {name} if c()")
            lines += [f"    {line}" for line in (f"{head}:", *self.block(here.inside()))]
        return lines

    # ---- definitions

    def new(self, letter: str) -> str:
        """Return a name that nothing else has: a function sees the last binding of a module's name, not each."""
        self.definitions.append(f"{letter}{len(self.definitions) + 1}")
        return self.definitions[-1]

    def known(self, here: Where) -> Where:
        return replace(here, functions=(*here.functions, *self.definitions))

    def body_of(self, here: Where, given: Sequence[str], **changes: Any) -> Where:
        """Return what surrounds the body of a function: it sees the names around it, too."""
        names = tuple(dict.fromkeys((*given, *here.names, *LOCALS)))
        return self.known(here.inside(in_loop=False, receiver="", names=names, targets=LOCALS, **changes))

    def function(self, here: Where) -> list[str]:
        if here.kind == "class":
            return self.method(here)
        if self.chance(2):
            return self.context_manager(here)
        name = self.new("f")
        parameters, given = self.parameters(here)
        inside = self.body_of(here, given, kind="function")
        lines = [*self.decorator(here), f"def {name}({parameters}):", *self.declarations(here, given)]
        lines += self.block(inside, 3)
        lines += [f"    return {self.value(inside)}"] if self.chance(7) else []
        called = f"{name}({self.arguments(here, 1)})"
        after = [called, f"{called}()", f"{self.target(here)} = {called}"]
        return [*lines, self.of(*after)] if self.chance(7) else lines

    def parameters(self, here: Where) -> tuple[str, tuple[str, ...]]:
        default = self.value(here, 1)
        forms = [
            ("", ()),
            ("p", ("p",)),
            (f"p={default}", ("p",)),
            (f"u={default}", ("u",)),
            (f"p, q={default}", ("p", "q")),
        ]
        forms += [(f"p=None, *, q={default}", ("p", "q")), ("*p", ("p",))]
        return forms[self.number(len(forms) - (2 if self.followed else 1))]

    def declarations(self, here: Where, given: Sequence[str]) -> list[str]:
        name = self.of(*LOCALS)
        if name in given or not self.chance(3):
            return []
        word = "nonlocal" if here.kind in ("function", "method") and self.chance(6) else "global"
        return [f"    {word} {name if word == 'nonlocal' else self.of(*VARIABLES)}"]

    def decorator(self, here: Where) -> list[str]:
        if not self.chance(2):
            return []
        followed = self.of("@same", "@functools.cache", "@given(1)", "@wrapped")
        return [followed if self.followed else self.of(followed, "@markers.d", f"@{self.leaf(here)}")]

    def context_manager(self, here: Where) -> list[str]:
        name = self.new("cm")
        inside = self.body_of(here, (), kind="generator")
        lines = ["@contextlib.contextmanager", f"def {name}():", *self.block(inside, 1)]
        lines += self.yielding(self.value(inside))
        if here.kind == "module":
            self.managers.append(name)
        return [*lines, f"with {name}() as {self.target(here)}:", *self.block(here.inside())]

    def yielding(self, value: str) -> list[str]:
        kind = self.of("", "", "except Stop: pass", "except Exception: raise", "finally: c()")
        return ["    try:", f"        yield {value}", f"    {kind}"] if kind else [f"    yield {value}"]

    def klass(self, here: Where) -> list[str]:
        own = [one for one in self.known(here).functions if one[0] in "KL"]
        bases = self.of("", "markers.Base", "Made", *own, "L, K", *LATER_BASES)
        name = self.new("K")
        targets = (*METHODS, *VARIABLES)
        inside = here.inside(kind="class", partly=False, in_loop=False, receiver="", targets=targets)
        lines = [f"class {name}({bases}):", *self.block(inside, 4), *self.indented(self.method(inside))]
        made = self.of(f"{name}()", f"{name}({self.value(here, 1)})")
        uses = [f"{self.target(here)} = {made}", f"{made}.{self.attribute_name()}()", f"{made}.{self.attribute_name()}"]
        uses += [f"{name}.{self.attribute_name()}()"]
        return [*lines, *(self.of(*uses) for _ in range(self.number(2)))]

    @staticmethod
    def indented(lines: Sequence[str]) -> list[str]:
        return [f"    {line}" for line in lines]

    def method(self, here: Where) -> list[str]:
        kind = self.of(
            "", "", "", "@property", "@classmethod", "@staticmethod", "__init__", "@functools.cached_property"
        )
        receiver = {"@staticmethod": "", "@classmethod": "cls"}.get(kind, "self")
        rest = "" if kind.endswith("property") else self.of("", "p=None", f"p={self.value(here, 1)}", "p")
        inside = replace(self.body_of(here, ("p",) if rest else (), kind="method"), receiver=receiver)
        name = "__init__" if kind == "__init__" else self.of(*METHODS)
        lines = [kind] if kind.startswith("@") else []
        lines += [f"def {name}({', '.join(part for part in (receiver, rest.partition('=')[0] and rest) if part)}):"]
        if receiver and self.chance(4):
            above = f"super().{self.of(*METHODS)}"
            lines += [f"    {self.of(above + '()', f'u = {above}', f'u = {above}()')}"]
        if kind == "__init__":
            inside = replace(inside, kind="init")
            return [*lines, f"    self.{self.field_name()} = {self.value(inside)}", *self.block(inside, 1)]
        return [*lines, *self.block(inside, 1), *([f"    return {self.value(inside)}"] if self.chance(7) else [])]

    def program(self) -> str:
        lines = [f"{name} = {self.of(*MARKS)}" for name in (*CONSTANTS, *VARIABLES)]
        for _ in range(self.number(4) + 1):
            lines += self.statement(self.known(Where()))
        probed = [*VARIABLES, *self.definitions]
        return (
            PRELUDE + "\n".join([*lines, *(f"with contextlib.suppress(Exception): {name}()" for name in probed)]) + "\n"
        )


PRELUDE = """\
import contextlib, functools, markers
from markers import mark, Made
def same(one): return one
def wrapped(one):
    @functools.wraps(one)
    def inner(*all, **named): return one(*all, **named)
    return inner
def given(_any): return same
def f(): return markers.a
def g(p=None): return p
def h(p): return markers.h(p)
class K(Made): pass
class L: m = o = markers.l
class Loud:
    def __enter__(self): return markers.m
    def __exit__(self, *_raised): c()
class Quiet(Loud):
    def __exit__(self, *_raised): return c()
class Quieter(Quiet): pass
"""


def programs(*, followed: bool) -> st.SearchStrategy[str]:
    return st.composite(lambda draw: Writer(draw, followed).program())()


def origins(text: str) -> Mapping[Spot, set[str]]:
    """Return the origins of every use of a program, by its place.

    Several lambdas of one scope are told apart there, but have one name while they run.
    """
    found: defaultdict[Spot, set[str]] = defaultdict(set)
    for use in uses_of({"m.py": text}).every("m"):
        site = use.site
        found[use.verb, site.line, site.column, site.end_line, site.end_column] |= {
            re.sub(r"(?<=<lambda>)#\d+", "", one) for one in use.origins
        }
    return found


def ran(text: str) -> Mapping[Spot, set[str]]:
    try:
        return reached(text)
    except SyntaxError:  # a few are refused by Python's own rules for `global`, `nonlocal` and the walrus
        return {}


def contradicted(text: str) -> list[str]:
    """Return the places where what ran is not among the origins, though they say they are all there are."""
    said = origins(text)
    return [
        f"{spot}: {sorted(found - said[spot])} not in {sorted(said[spot])}"
        for spot, found in ran(text).items()
        if spot in said and "?" not in said[spot] and found - said[spot]
    ]


def missed(text: str) -> list[str]:
    """Return the places where what ran is not among the origins, whatever else there may be."""
    said = origins(text)
    return [
        f"{spot}: {sorted(found - said.get(spot, set()))} not in {sorted(said.get(spot, ['no use']))}"
        for spot, found in ran(text).items()
        if found - said.get(spot, set()) - ({"None"} if spot not in said else set())
    ]


@MANY
@given(programs(followed=False))
def test_what_ran_is_among_the_origins_or_they_are_not_all(text: str) -> None:
    assert not contradicted(text), text


@MANY
@given(programs(followed=True))
def test_what_ran_is_among_the_origins_where_all_is_followed(text: str) -> None:
    assert not missed(text), text


def right(reason: str, *lines: str) -> Any:
    """Return a program of which the engine said something wrong, and what is right."""
    return pytest.param("import contextlib, markers\n" + "\n".join(lines) + "\n", id=reason.partition(":")[0])


def wrong(reason: str, *lines: str) -> Any:
    """Return a program of which the engine says something wrong, and what is right."""
    return pytest.param(*right(reason, *lines).values, id=reason, marks=pytest.mark.xfail(strict=True, reason=reason))


CONTRADICTED = [
    right(
        "a context manager of the program that swallows exceptions",
        "class C:",
        "    def __enter__(self): pass",
        "    def __exit__(self, *raised): return True",
        "x = markers.a",
        "with C():",
        "    r()",
        "    x = markers.b",
        "x()",
    ),
    right(
        "a context manager of the program that swallows what is raised around its yield",
        "@contextlib.contextmanager",
        "def f():",
        "    try: yield",
        "    except Exception: pass",
        "x = markers.a",
        "with f():",
        "    r()",
        "    x = markers.b",
        "x()",
    ),
    right(
        "what an operator of a class gives",
        "class C:",
        "    def __truediv__(self, other): return markers.a",
        "(C() / 1)()",
    ),
    right(
        "a list that is handed to a function which lets it grow",
        "def f(one): one.append(markers.b)",
        "x = [markers.a]",
        "f(x)",
        "for y in x: y()",
    ),
    right(
        "an item of a list that grows under another name",
        "x = [markers.a]",
        "y = x",
        "y.insert(0, markers.b)",
        "x[0]()",
    ),
    right(
        "a list of the module that a function lets grow",
        "x = [markers.a]",
        "def f(): x.append(markers.b)",
        "f()",
        "def g():",
        "    for y in x: y()",
        "g()",
    ),
    wrong(
        "a field that hides what the class has: the class itself has none, an instance not yet",
        "class K(markers.Base):",
        "    def p(self): self.m = markers.a",
        "K.m()",
        "K().m()",
    ),
    right(
        "a field that hides what the class has: also one that a base of this file has",
        "class B:",
        "    def m(self): pass",
        "class K(B):",
        "    def p(self): self.m = markers.a",
        "K().m()",
    ),
    right(
        "super() in a class method is the class, not an instance",
        "class K(markers.Base):",
        "    @classmethod",
        "    def p(cls): super().m()",
        "K.p()",
    ),
    right(
        "a name of a class body that is bound on some path only leaves what the bases have",
        "class K(markers.Base):",
        "    if c(): n = markers.a",
        "K().n()",
    ),
    right(
        "a base after one from outside: what the first has cannot be seen, so it may be the second's",
        "class L:",
        "    def o(self): pass",
        "class K(markers.Base, L): pass",
        "K().o()",
    ),
    right(
        "a base after one from outside may be from outside, too",
        "class K(markers.Base, markers.Other): pass",
        "K().o()",
    ),
    right(
        "a walrus in the test of a while: the loop ends after the test, with what that bound",
        "x = markers.a",
        "while (x := markers.b) and c():",
        "    x = markers.a",
        "x()",
    ),
    right(
        "a function that module code calls sees what a name holds at that time, not in the end",
        "x = markers.a",
        "def f(): x()",
        "f()",
        "x = markers.b",
    ),
    right(
        "what a builtin gives may be what it was given: `builtins.iter()[]` hides it",
        "x = next(iter([markers.a]))",
        "x()",
    ),
    right(
        "a class below one of the program's: self may be one of them, and they override",
        "class C:",
        "    def m(self): pass",
        "    def n(self): self.m()",
        "class D(C):",
        "    def m(self): pass",
        "D().n()",
    ),
    right(
        "a class below one of the program's: it may override an attribute",
        "class C:",
        "    s = markers.a",
        "    def m(self): self.s()",
        "class D(C):",
        "    s = markers.b",
        "D().m()",
    ),
    right(
        "a class below one of the program's: it may have what a mixin lacks",
        "class Mixin:",
        "    def m(self): self.s()",
        "class D(Mixin):",
        "    def __init__(self): self.s = markers.b",
        "D().m()",
    ),
    right(
        "a class below one of the program's: a method that gives self gives what it was called on",
        "class C:",
        "    def m(self): return self",
        "class D(C):",
        "    def o(self): pass",
        "D().m().o()",
    ),
    right(
        "a class below one of the program's: cls is the class that the method was called on",
        "class C:",
        "    @classmethod",
        "    def m(cls): return cls()",
        "class D(C):",
        "    def o(self): pass",
        "D.m().o()",
    ),
    right(
        "a class below one of the program's: super() may reach a sibling",
        "class A:",
        "    def m(self): super().m()",
        "class B:",
        "    def m(self): pass",
        "class D(A, B): pass",
        "D().m()",
    ),
    right(
        "type(x) is the class of x",
        "class C:",
        "    x = markers.a",
        "    def m(self): type(self).x()",
        "C().m()",
    ),
    right(
        "a loop over an instance asks its __iter__",
        "class C:",
        "    def __iter__(self): return iter([markers.a])",
        "for x in C(): x()",
    ),
    right(
        "a class's __new__ decides what it gives",
        "class C:",
        "    def __new__(cls): return markers.a",
        "C()()",
    ),
    right(
        "setattr on an instance may set any of its attributes",
        "class C: pass",
        "x = C()",
        "setattr(x, 's', markers.a)",
        "x.s()",
    ),
    right(
        "a field that is set through a parameter",
        "class C:",
        "    s = markers.b",
        "def f(one): one.s = markers.a",
        "x = C()",
        "f(x)",
        "x.s()",
    ),
    right(
        "what a builtin gives may hold what it was given: max()",
        "x = max(markers.a, markers.b, key=id)",
        "x()",
    ),
    right(
        "what a builtin gives may hold what it was given: dict()",
        "x = dict(k=markers.a)['k']",
        "x()",
    ),
    right(
        "what a builtin gives may hold what it was given: enumerate(), zip(), reversed()",
        "for _, x in enumerate([markers.a]): x()",
    ),
    right(
        "contextlib.closing gives what it was given, which need not be a context manager",
        "class C:",
        "    def m(self): pass",
        "    def close(self): pass",
        "with contextlib.closing(C()) as x: x.m()",
    ),
]
MISSED = [
    right(
        "what a decorator of the file gives, and what it is given, are those of one more call",
        "def d(one):",
        "    def inner(): return one()",
        "    return inner",
        "@d",
        "def f(): return markers.a",
        "f()",
    ),
    right(
        "a global declaration binds the module's name",
        "x = None",
        "def f():",
        "    global x",
        "    x = markers.a",
        "f()",
        "x()",
    ),
    right(
        "a nonlocal declaration binds the outer name",
        "def f():",
        "    x = markers.a",
        "    def g():",
        "        nonlocal x",
        "        x = markers.b",
        "    g()",
        "    x()",
        "f()",
    ),
    right(
        "an item of a comprehension is one of its elements",
        "[markers.a for _ in (1, 2)][0]()",
    ),
    right(
        "a capture is a part of the subject",
        "match [markers.a, markers.b]:",
        "    case [x, _]: x()",
    ),
    right(
        "contextlib.nullcontext gives what it was given",
        "with contextlib.nullcontext(markers.a) as x: x()",
    ),
    right(
        "a loop over a generator gives what it yields",
        "def f():",
        "    yield markers.a",
        "for x in f(): x()",
    ),
    right(
        "a loop over a table's values",
        "x = {'k': markers.a}",
        "for y in x.values(): y()",
    ),
    right(
        "an item from the end, and pop(), give one of the elements",
        "x = [markers.a]",
        "x[-1]()",
        "x.pop()()",
    ),
    right(
        "what a starred target holds",
        "x, *y = markers.a, markers.b",
        "y[0]()",
    ),
    right(
        "arguments that are gathered",
        "def f(*all, **named): return all[0]",
        "f(markers.a)()",
    ),
]


@pytest.mark.parametrize("text", CONTRADICTED)
def test_what_ran_is_not_contradicted(text: str) -> None:
    assert not contradicted(text)


@pytest.mark.parametrize("text", MISSED)
def test_what_ran_is_not_missed(text: str) -> None:
    assert not missed(text)


@pytest.mark.parametrize(
    ("annotation", "wanted"),
    [
        ("Any", {"?"}),
        ("Optional[httpx.Client]", {"httpx.Client().get"}),
    ],
)
def test_a_word_of_typing_is_the_same_by_way_of_another_module(annotation: str, wanted: set[str]) -> None:
    text = f"import httpx\nfrom compat import Any, Optional\ndef f(p: {annotation}): p.get()\n"
    files = {"compat.py": "from typing import Any as Any, Optional as Optional\n", "m.py": text}
    (found,) = [use.origins for use in uses_of(files).every("m") if use.verb == "call"] or [frozenset("?")]
    assert wanted <= found
    assert not any("typing" in one for one in found)


def test_a_decorator_that_gives_what_it_was_given_gives_nothing_else() -> None:
    text = "def same(f): return f\n@same\ndef a(): pass\n@same\ndef b(): pass\na()\n"
    (found,) = [use.origins for use in uses_of({"m.py": text}).every("m") if use.verb == "call"]
    assert found - {"?"} == {"m:a"}

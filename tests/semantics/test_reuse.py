"""After an edit, answers that are taken over are those that asking anew gives."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from abutment.semantics import asking, reuse
from abutment.semantics.build import build_program
from abutment.semantics.cache import Cache
from abutment.semantics.program import Program
from abutment.semantics.uses import Uses
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.universe import Root

NAMES = ("A", "B", "C", "D")
ATTRIBUTES = ("a", "b", "c", "__enter__", "__iter__", "__call__")
PLACES = ("app/__init__.py", *(f"app/m{at}.py" for at in range(9)), "user.py")
MODULES = ("app", *(f"app.m{at}" for at in range(9)), "user")
LINES = (
    "from {module} import {name}",
    "from {module} import {name} as {other}",
    "from .m1 import {name}",
    "import {module}",
    "import os as {name}",
    "from os import {attribute} as {name}",
    "{name} = {other}",
    "{name} = {module}.{other}",
    "{name} = {other}()",
    "{name} = {module}.{other}().{attribute}",
    "{name} = [{other}, {module}.{name}]",
    "{name}().{attribute}()",
    "{name}.{attribute}({other})",
    "{module}.{name}.{attribute}()",
    "{module}.{name}({other})",
    "{name}.{attribute} = {other}",
    "if {name}: {other}()",
    "for {name} in {other}(): {name}.{attribute}()",
    "with {name}() as {other}: {other}.{attribute}()",
    "def {name}(p={other}): return p.{attribute}",
    "def {name}(p: '{other}'):\n    p.{attribute}()\n    return p",
    "@{name}\ndef {other}(p): yield {module}.{name}",
    "def {name}(f): return f",
    "class {name}: pass",
    "class {name}({other}):\n    {attribute} = {module}.{other}",
    "class {name}({other}, {module}.{name}): pass",
    "class {name}({module}.{other}):\n    def {attribute}(self): return self.a()",
    "class {name}({other}):\n    def b(self): return super().{attribute}()",
    "class {name}:\n    def __init__(self, p: {other}): self.{attribute} = p",
    "class {name}({other}):\n    @property\n    def {attribute}(self): return self.c\n    def c(self): return self.b",
    "class {name}({other}.{attribute}):\n    b = {module}.{other}",
    "import enum\nclass {name}(enum.Enum):\n    {attribute} = {other}",
    "class {name}({other}):\n    def g(self): self.{attribute} = {module}.{other}",
    "class {name}({other}):\n    @classmethod\n    def {attribute}(cls): return cls.b",
    "class {name}({other}):\n    def b(self): self.{attribute} = self.c()",
    "class {name}({other}):\n    @classmethod\n    def b(cls): cls.{attribute} = cls.c",
    "class {name}({other}):\n    @classmethod\n    def {attribute}(cls): return cls",
    "class {name}({other}):\n    def __new__(cls): return {module}.{name}()",
    "class {name}:\n    def __get__(self, one, kind): return {other}",
    "class {name}({other}):\n    {attribute} = {module}.{name}()",
    "{module}.{name}.{attribute} = {other}",
    "{name}().{attribute} = {module}.{other}",
    "setattr({name}, '{attribute}', {other})",
    "def {name}(p: {other}): p.{attribute} = {module}.{name}",
    "{name} = {{}}",
    "{module}.{name}['a'] = {other}",
    "{module}.{name}.append({other})",
    "del {name}",
)
# What these say is true of all modules together, or cuts answers short.
RARE = (
    "from {module} import *",
    "__all__ = ['{name}', '{other}']",
    "import {module} as x\nx.{name} = {other}",
    "setattr({module}, '{name}', {other})",
    "globals()['x'] = 1",
    "def __getattr__(name): return {other}",
    "class {name}({other}):\n    def __getattr__(self, name): return {other}",
    "def (",
)
SUBMODULES = ("app/A.py", "app/B.py", "app/C/__init__.py")  # those that shadow attributes come and go
BEGINNING = "import os, app\nfrom app.m0 import A, B\nfrom app.m1 import C, D"
# One definition of a name that each module has; what it refers to is mostly certain.
ASKING = "    def h(self): self.a.f(), self.b.f(), self.c().f()"
DEFINITIONS = (
    f"class {{name}}({{other}}):\n    {{attribute}} = os\n{ASKING}",
    f"class {{name}}({{other}}):\n    {{attribute}} = {{third}}\n{ASKING}",
    f"class {{name}}({{other}}):\n    def {{attribute}}(self): return self.a\n{ASKING}",
    f"class {{name}}({{other}}):\n    @property\n    def {{attribute}}(self): return os\n{ASKING}",
    f"class {{name}}({{other}}):\n    def {{attribute}}(self): return os\n{ASKING}",
    f"class {{name}}({{other}}):\n    def g(self): return super().{{attribute}}\n{ASKING}",
    f"class {{name}}:\n    def g(self): self.{{attribute}} = {{other}}\n{ASKING}",
    f"class {{name}}:\n    {{attribute}} = os\n{ASKING}",
    f"class {{name}}:\n    a = b = os\n{ASKING}",
    f"class {{name}}({{other}}):\n    def g(self): self.{{attribute}} = {{third}}\n{ASKING}",
    f"class {{name}}({{other}}):\n    @classmethod\n    def {{attribute}}(cls): return cls.a\n{ASKING}",
    f"class {{name}}({{other}}):\n    @classmethod\n    def {{attribute}}(cls): return cls\n{ASKING}",
    f"class {{name}}({{other}}):\n    def g(self): self.{{attribute}} = self.c()\n{ASKING}",
    f"class {{name}}({{other}}):\n    def {{attribute}}(self): return self.c()\n{ASKING}",
    f"class {{name}}({{other}}):\n    @classmethod\n    def g(cls): cls.{{attribute}} = cls.c\n{ASKING}",
    f"class {{name}}({{other}}):\n    {{attribute}} = {{third}}()\n{ASKING}",
    "class {name}:\n    def __get__(self, one, kind): return {other}",
    "class {name}({other}):\n    def __new__(cls): return {third}()",
    "class {name}({other}, {third}): pass",
    "class {name}({other}): pass",
    "def {name}(p={other}): return p",
    "def {name}(p: {other}): return p.{attribute}",
    "def {name}(f): return f\n@{name}\ndef {name}(): return {other}",
    "{name} = {other}",
    "{name} = {other}()",
)
ORDERLY_USES = (
    *("{other}().{attribute}.f()", "{other}.{attribute}()", "{other}().g()", "if {other}: {third}()"),
    *("{other}().{attribute}.f()", "{other}().{attribute}().f()", "{other}.a", "{other}().b.f()"),
    "class E({other}):\n    {attribute} = os",
    "class F({other}, {third}): pass",
    "{other}.{attribute} = {third}",
    "{other}().{attribute} = os",
    "setattr({other}, '{attribute}', {third}())",
    "def p(q: {other}): q.{attribute} = {third}",
)


def a_line(chance: random.Random, rare: float) -> str:
    form = chance.choice(RARE if chance.random() < rare else LINES)
    words = {"module": MODULES, "name": NAMES, "other": NAMES, "attribute": ATTRIBUTES}
    return form.format(**{word: chance.choice(some) for word, some in words.items()})


def an_orderly_line(chance: random.Random, at: int, slot: int) -> str:
    """Return the definition of a name in module `at`, or beyond these a use; it refers to modules before.

    What it refers to first, as a class to its base, is mostly the same for one slot: other bases touch everything.
    """
    form = chance.choice(DEFINITIONS if slot < len(NAMES) else ORDERLY_USES)
    some = (random.Random(at * 8 + slot) if chance.random() < 0.8 else chance, chance)
    other, third = (f"app.m{max(0, at - one.randrange(4))}.{one.choice(NAMES)}" for one in some)
    attribute = chance.choice("abc")
    return form.format(name=NAMES[slot % len(NAMES)], other=other, third=third, attribute=attribute)


def orderly(chance: random.Random) -> dict[str, list[str]]:
    beginning = "".join(f"import app.m{at}\n" for at in range(9)) + "import os"
    files = {f"app/m{at}.py": [*(an_orderly_line(chance, at, slot) for slot in range(8)), beginning] for at in range(9)}
    return {"app/__init__.py": [""], **{path: lines[-1:] + lines[:-1] for path, lines in files.items()}}


def edited_in_order(chance: random.Random, files: dict[str, list[str]]) -> None:
    for _ in range(chance.choice((1, 1, 2))):
        at, slot = chance.randrange(9), chance.randrange(8)
        files[f"app/m{at}.py"][1 + slot] = an_orderly_line(chance, at, slot)


def edited(chance: random.Random, files: dict[str, list[str]], rare: float) -> None:
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        lines = files[chance.choice([path for path in PLACES if path in files])]
        if chance.random() < 0.5 and len(lines) > 1:
            lines.pop(chance.randrange(len(lines)))
        else:
            lines.insert(chance.randrange(len(lines) + 1), a_line(chance, rare))
    if chance.random() < rare:
        path = chance.choice(SUBMODULES)
        if path in files:
            del files[path]
        else:
            files[path] = [a_line(chance, rare)]


def built(files: Mapping[str, list[str]], cache: Cache | None) -> Program:
    tree = MemoryTree({path: "\n".join(lines) for path, lines in files.items()})
    return build_program(discover(tree, [Root(".")]), tree, cache=cache, uses=True)


OURS = [f"{module}.{name}" for module in MODULES for name in ("A", "B.a", "C.b")]
QUESTIONS: tuple[Callable[[Uses], object], ...] = (
    lambda uses: uses.of(["os", "app", "user"]),
    lambda uses: uses.of(OURS, through=True),
    lambda uses: uses.at_import(["os", *OURS]),
    lambda uses: dict(uses.subclasses([f"{module}.A" for module in MODULES])),
    lambda uses: [uses.names_in(f"{module}.B") for module in MODULES],
)


def answers(program: Program, questions: Sequence[Callable[[Uses], object]] = QUESTIONS) -> object:
    """Return what is answered, and keep it."""
    told = [question(program.uses) for question in questions], program.uses.limited
    program.uses.keep()
    return told


class Counted:
    """Counts of each run that started from an earlier one how many modules it took over, and of how many."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.stale: list[int] = []
        inner = reuse.affected

        def counting(*arguments: object) -> object:
            found = inner(*arguments)  # type: ignore[arg-type]
            if found is not None:
                self.stale.append(len(found))
            return found

        monkeypatch.setattr(asking, "affected", counting)


@pytest.mark.parametrize("rare", [0.0, 0.02, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_after_any_edits_the_answers_are_what_asking_anew_gives(
    seed: int, rare: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)
    chance = random.Random(f"{seed} {rare}")
    files = {path: [BEGINNING, *(a_line(chance, rare / 4) for _ in range(9))] for path in PLACES}
    hold(files, 20, lambda: edited(chance, files, rare), tmp_path)
    assert sum(counted.stale) < len(counted.stale) * len(PLACES)
    assert len(counted.stale) > (1 if not rare else 0)


@pytest.mark.parametrize("seed", range(10))
def test_after_edits_of_code_of_which_much_is_certain_they_are_as_well(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)
    chance = random.Random(seed)
    files = orderly(chance)
    hold(files, 25, lambda: edited_in_order(chance, files), tmp_path)
    assert len(counted.stale) >= 5
    assert sum(counted.stale) < len(counted.stale) * 7


def hold(files: dict[str, list[str]], rounds: int, edit: Callable[[], None], folder: Path) -> None:
    """Hold what is answered after each edit against what is answered without a cache."""
    chance = random.Random(str(files))
    answers(built(files, Cache(folder, "1")))
    for _ in range(rounds):
        edit()
        for _ in range(2):  # then as it was kept, with what was not asked before
            asked = [one for one in QUESTIONS if chance.random() < 0.8]
            assert answers(built(files, Cache(folder, "1")), asked) == answers(built(files, None), asked), files


OTHERS = {f"u{at}.py": "import m\n" for at in range(9)}
TWO = "class A:\n    def a(self): return os\nclass B(A):\n    b = 1"
ASKING_CLS = (
    "class U:\n    a = os\n    @classmethod\n    def h(cls): cls.a.f()\n"
    "    @classmethod\n    def itself(cls): return cls"
)
MIXED = "class X:\n    a = 1\nclass U:\n    a = os\n    def g(self): self.a.f()"


@pytest.mark.parametrize(
    ("m", "user", "edit", "stale"),
    [
        ("A = os", "from m import A\nA.f()", "A = os\ndef f(): pass", ["m"]),  # nobody had looked at f
        ("A = os", "from m import A\nA.f()", "A = os.path", ["m", "user"]),
        ("A = os", "import m\nm.B.f()", "A = os\nB = os", ["m", "user"]),  # the missing name is there now
        ("def a(): return os", "from m import a\na().f()", "def a(): return os.path", ["m", "user"]),
        ("def a(): return os", "from m import a\na().f()", "def a():\n    os.g()\n    return os", ["m"]),
        ("def a(): return os", "from m import a\na().f()", "class a: pass", ["m", "user"]),
        ("def a(p=os): return p", "from m import a\na().f()", "def a(p=os.path): return p", ["m", "user"]),
        (
            "class A:\n    @property\n    def a(self): return os",
            "from m import A\nA().a.f()",
            "class A:\n    def a(self): return os",
            ["m", "user"],
        ),
        (
            "class A:\n    def a(self): return os",
            "from m import A\nprint(A().a)",
            "class A:\n    @property\n    def a(self): return os",
            ["m", "user"],
        ),
        ("class A:\n    a = os", "from m import A\nA.a.f()", "class A:\n    a = os\n    b = 1", ["m"]),
        ("class A:\n    a = os", "from m import A\nA.b.f()", "class A:\n    a = os\n    b = os", ["m", "user"]),
        (
            "class A:\n    def g(self): self.a = os",
            "from m import A\nA().a.f()",
            "class A:\n    def g(self): self.a = 1",
            ["m", "user"],
        ),
        # A class below overrides what a method of the user's asks of `self`, or something else.
        (
            "from user import U",
            "class U:\n    a = os\n    def g(self): self.a.f()",
            "from user import U\nclass V(U):\n    a = 1",
            ["m", "user"],
        ),
        (
            "from user import U",
            "class U:\n    a = os\n    def g(self): self.a.f()",
            "from user import U\nclass V(U):\n    b = 1",
            ["m"],
        ),
        ("from user import U", f"{ASKING_CLS}\nU.h()", "from user import U\nclass V(U):\n    a = 1", ["m", "user"]),
        ("from user import U", f"{ASKING_CLS}\nU.h()", "from user import U\nclass V(U): pass", ["m"]),
        (
            "from user import U",
            f"{ASKING_CLS}\nprint(U.itself())",
            "from user import U\nclass V(U): pass",
            ["m", "user"],
        ),
        # One below brings a class in that has the attribute, without one of its own.
        ("from user import U, X", MIXED, "from user import U, X\nclass V(X, U): pass", ["m", "user"]),
        ("from user import U, X", MIXED, "from user import U, X\nclass V(U): pass", ["m", "user"]),
        ("import user\nclass Y: pass", MIXED, "import user\nclass Y:\n    a = 1", ["m"]),
        (
            "import user\nclass Y: pass\nclass V(Y, user.U): pass",
            MIXED,
            "import user\nclass Y:\n    a = 1\nclass V(Y, user.U): pass",
            ["m", "user"],
        ),
        (
            "from user import U\nclass V(U):\n    def h(self): self.a = os",
            "class U:\n    def g(self): self.a.f()",
            "from user import U\nclass V(U):\n    def h(self): self.a = os.path",
            ["m", "user"],
        ),
        (
            "from user import U\nclass V(U):\n    b = os",
            "class U:\n    def g(self): self.b.f()",
            "from user import U\nimport z\nclass V(U):\n    b = os\nclass W(U, z.Z):\n    pass",
            ["m", "user"],
        ),
        # What makes an instance, or stands between it and its attributes.
        ("class A: pass", "from m import A\nA().f()", "class A:\n    def __new__(cls): return os", ["m", "user"]),
        (
            "class A:\n    a = os",
            "from m import A\nA().a.f()",
            "class A:\n    a = os\n    def __getattribute__(self, name): return 1",
            ["m", "user"],
        ),
        (
            "class D: pass",
            "import m\nclass U:\n    a = m.D()\nU().a.f()",
            "class D:\n    def __get__(self, one, kind): return os",
            ["m", "user"],
        ),
        (
            "class D:\n    def __get__(self, one, kind): return 1",
            "import m\nclass U:\n    a = m.D()\nU().a.f()",
            "class D:\n    def __get__(self, one, kind): return os",
            ["m", "user"],
        ),
        # What is set from outside of a class.
        ("import user", "class U:\n    a = 1\nU().a.f()", "import user\nuser.U.a = os", None),
        ("import user", "class U:\n    a = 1\nU().a.f()", "import user\nuser.U().a = os", ["m", "user"]),
        ("import user", "class U:\n    a = 1\nU().a.f()", "import user\nuser.U().b = os", ["m"]),
        ("import user", "class U:\n    a = 1\nU().a.f()", "import user\nsetattr(user.U, 'a', os)", None),
        ("import user", "class U:\n    a = 1\nU().a.f()", "import user\nsetattr(user.U(), 'a', os)", ["m", "user"]),
        ("import user\nuser.U.a = 1", "class U:\n    a = 1\nU().a.f()", "import user\nuser.U.a = os", ["m", "user"]),
        ("import user\nuser.U.a = os", "class U:\n    a = 1\nU().a.f()", "import user", None),
        (
            "def make(): return 1",
            "import m\nclass U:\n    a = 1\nm.make().a = os\nU().a.f()",
            "import user\ndef make(): return user.U()",
            None,  # what decided on what it is set
        ),
        ("import user", "class R: B = os\nclass U(R.B): pass\nU().f()", "import user\nuser.R.B = 1", None),
        (
            "class Z: pass",
            "class R:\n    B = os\n    def g(self): return self.B\nclass U(R().g()): pass\nU().f()",
            "class Z:\n    B = 1",  # while bases are worked out, nobody knows what is below
            None,
        ),
        ("import user\nuser.R['a'] = 1", "R = {}\nR['a'].f()", "import user\nuser.R['a'] = os", ["m"]),
        (
            "from user import U",
            "class T:\n    a = 1\nclass U:\n    b = T\n    def g(self): self.b.a = os\nT.a.f()",
            "from user import U\nclass Q:\n    a = 1\nclass V(U):\n    b = Q",
            None,  # a class below decides on what it is set
        ),
        ("A = 1", "class U: pass\nprint(U().zz)", "A = 1\ndef g(p): p.zz = os", ["m", "user"]),
        ("A = 1", "class U: pass\nprint(U().zz)", "A = 1\ndef g(p): p.yy = os", ["m"]),
        # Beside what is declared, what nobody can tell the class of adds nothing.
        (
            "import z\ndef make(): return z.thing()",
            "import m\nclass T: pass\ndef g(p: T): p.f()\ng(m.make().x)",
            "import z\nclass A:\n    x = os\ndef make(): return A()",
            ["m", "user"],
        ),
        (TWO, "from m import B\nclass C(B): pass\nC().a().f()", TWO + "\n    c = 1", ["m"]),
        (TWO, "from m import B\nclass C(B): pass\nC().a().f()", TWO.replace("(A)", ""), None),  # other bases
        (TWO, "from m import B\nclass C(B): pass\nC().a().f()", TWO.replace("B", "D"), None),
        ("A = os", "from m import *\nA.f()", "A = os\nB = os", None),  # a star takes whatever there is
        ("A = os", "from m import A\nA.f()", "A = os\nimport k\nk.B = os", None),  # set from outside
        ("A = os", "from m import A\nA.f()", "A = os\nglobals()['A'] = 1", None),
        ("A = os", "from m import A\nA.f()", "def (", None),
        ("def (", "from m import A\nA.f()", "A = os", None),
    ],
)
def test_only_whoever_looked_at_what_changed_is_asked_again(
    m: str, user: str, edit: str, stale: list[str] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[frozenset[str]] = []
    inner = reuse.affected

    def noting(*arguments: object) -> object:
        told = inner(*arguments)  # type: ignore[arg-type]
        found.extend([told] if told is not None else [])
        return told

    monkeypatch.setattr(asking, "affected", noting)
    files = {**OTHERS, "k.py": "", "m.py": f"import os\n{m}", "user.py": f"import os\n{user}"}

    def asked(text: str, cache: Cache | None) -> object:
        program = built({path: [text if path == "m.py" else held] for path, held in files.items()}, cache)
        told = program.uses.of(["os", "m", "user"]), program.uses.at_import(["os", "m"])
        program.uses.keep()
        return told

    asked(files["m.py"], Cache(tmp_path, "1"))
    assert asked(f"import os\n{edit}", Cache(tmp_path, "1")) == asked(f"import os\n{edit}", None)
    assert list(map(sorted, found)) == ([] if stale is None else [stale])

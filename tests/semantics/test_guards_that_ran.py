"""Small programs of bindings and branches, run by the interpreter itself: what ran was no type-only import.

The programs are made by a seeded generator, so that they are the same everywhere; one child process runs them all,
each of them several times with other outcomes of its tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

from abutment.semantics.interpret import interpret
from abutment.semantics.lower import outline
from abutment.semantics.names import Names
from abutment.semantics.outline import Outline
from abutment.semantics.program import Module, ModuleKind

PROGRAMS = 250

# Runs each program with tests that come out at random, and says which `import mark_…` it came to.
RUNNER = r"""
import builtins, contextlib, json, random, sys
class Stop(Exception): pass
class Enough(BaseException): pass
found = []
for text in json.load(sys.stdin):
    ran = set()
    try:
        code = compile(text, "m", "exec")
    except SyntaxError:
        found.append(None)
        continue
    for seed in range(10):
        chance, steps = random.Random(seed), [300]
        def tick():
            steps[0] -= 1
            if steps[0] < 0: raise Enough
        def c():
            tick()
            return chance.random() < 0.5
        def r():
            tick()
            if chance.random() < 0.4: raise Stop
        def some():
            tick()
            return chance.choice([[1], [0], 7, {"k": 1}])
        def bring(name, *rest):
            tick()
            if not name.startswith("mark_"): return builtins.__import__(name, *rest)
            ran.add(name)
            return contextlib
        given = {**vars(builtins), "__import__": bring, "c": c, "r": r, "some": some, "Stop": Stop}
        try:
            exec(code, {"__name__": "m", "__builtins__": given})
        except (Exception, Enough):
            pass
    found.append(sorted(ran))
json.dump(found, sys.stdout)
"""

PRELUDE = """\
import typing as t
from typing import TYPE_CHECKING as T
from contextlib import suppress, nullcontext
LATER = []
"""
TESTS = [
    "not {a}",
    "{a} and {b}",
    "{a} or {b}",
    "not ({a} or {b})",
    "c() or {a}",
    "({a} := {b})",
    "c() and ({a} := {b})",
]
VALUES = [
    *("1", "1", "T", "T", "t.TYPE_CHECKING", "{a}", "{b}", "{a} if c() else {b}", "{a} or {b}", "({a} := {b})"),
    "0",
]
SIMPLE = [
    *(
        "{a} = {v}",
        "{a} = {v}",
        "from typing import TYPE_CHECKING as {a}",
        "{a}, {b} = {b}, {v}",
        "{a} += 1",
        "del {a}",
    ),
    *("r()", "(c() and ({a} := {v}))", "{a} = {b} = {v}", "[{a}, *{b}] = 1, 2", "if c(): raise Stop"),
]
LOOPS = ["for {a} in (1, T, 1):", "for _ in (1, 2, 3):", "while c():", "while ({a} := c()):", "for {a} in (T,):"]
ENTERED = ["with suppress(Exception):", "with nullcontext(T) as {a}:", "with suppress(Stop), nullcontext(1) as {a}:"]
PATTERNS = ["case [{a}]:", "case [{a}] if c():", "case {{'k': _, **{a}}}:", "case 7 as {a} if {b}:", "case 7:"]
HANDLERS = ["except Exception:", "except Stop as {a}:", "except NameError:", "except:"]
PARAMETERS = ["", "", "{b}=1", "{b}=T", "*{b}", "{b}={a}"]


class Writer:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random, self.marks, self.functions = Random(seed), 0, 0

    def program(self) -> str:
        lines = [f"{name} = {self.random.choice('1TT')}" for name in "ABC"]
        for _ in range(self.random.randint(2, 6)):
            lines += self.statement(3, "", False)
        lines += ["for _one in LATER: _one()", *(f"if {name}: {self.mark()}" for name in "ABC")]
        return PRELUDE + "\n".join(lines) + "\n"

    def one(self, texts: list[str]) -> str:
        a, b = self.random.choice("ABC"), self.random.choice("ABC")
        return self.random.choice(texts).format(a=a, b=b, v=self.random.choice(VALUES).format(a=a, b=b))

    def mark(self) -> str:
        self.marks += 1
        return f"import mark_{self.marks}"

    def test(self) -> str:
        return self.random.choice("ABC") if self.random.random() < 0.6 else self.one(TESTS)

    def block(self, depth: int, inside: str, loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(depth - 1, inside, loop)
        return [f"    {line}" for line in lines]

    def statement(self, depth: int, inside: str, loop: bool) -> list[str]:
        kinds = [self.guard, self.simple, self.choice, self.loop, self.trying, self.entered, self.match]
        kinds += [self.function, self.klass, self.leave] if depth else []
        (kind,) = self.random.choices(
            kinds if depth else kinds[:2], [3, 3, 2, 2, 3, 1, 2, 3, 1, 1] if depth else [1, 1]
        )
        return kind(depth, inside, loop)

    def guard(self, _depth: int, _inside: str, _loop: bool) -> list[str]:
        return [f"if {self.test()}: {self.mark()}", f"elif {self.test()}: {self.mark()}", f"else: {self.mark()}"]

    def simple(self, _depth: int, _inside: str, _loop: bool) -> list[str]:
        return [self.one(SIMPLE), f"if {self.test()}: {self.mark()}"]

    def choice(self, depth: int, inside: str, loop: bool) -> list[str]:
        return ["if c():", *self.block(depth, inside, loop), "else:", *self.block(depth, inside, loop)]

    def loop(self, depth: int, inside: str, loop: bool) -> list[str]:
        return [self.one(LOOPS), *self.block(depth, inside, True), "else:", *self.block(depth, inside, loop)]

    def entered(self, depth: int, inside: str, loop: bool) -> list[str]:
        return [self.one(ENTERED), *self.block(depth, inside, loop)]

    def match(self, depth: int, inside: str, loop: bool) -> list[str]:
        cases = [[self.one(PATTERNS), *self.block(depth, inside, loop)] for _ in range(self.random.randint(1, 3))]
        return ["match some():", *(f"    {line}" for case in cases for line in case)]

    def klass(self, depth: int, _inside: str, _loop: bool) -> list[str]:
        return [f"class K{self.random.randint(1, 2)}:", *self.block(depth, "class", False)]

    def leave(self, _depth: int, inside: str, loop: bool) -> list[str]:
        if loop:
            return [self.random.choice(["break", "continue", "if c(): break"])]
        return ["if c(): return" if inside == "function" else "if c(): raise Stop"]

    def trying(self, depth: int, inside: str, loop: bool) -> list[str]:
        lines, how = ["try:", *self.block(depth, inside, loop)], self.random.random()
        if how < 0.8:
            lines += [self.one(HANDLERS), *self.block(depth, inside, loop)]
        if how < 0.3:
            lines += ["else:", *self.block(depth, inside, loop)]
        if how > 0.5:
            lines += ["finally:", *self.block(depth, inside, False)]
        return lines

    def function(self, depth: int, inside: str, _loop: bool) -> list[str]:
        self.functions += 1
        name, body = f"f{self.functions}", self.block(depth, "function", False)
        head, parameter = list[str](), ""
        if self.random.random() < 0.3:
            head = [f"    global {self.random.choice('ABC')}"]
        elif inside == "function" and self.random.random() < 0.2:
            head = [f"    nonlocal {self.random.choice('ABC')}"]
        else:
            parameter = self.one(PARAMETERS)
        called = self.random.choice([f"{name}()", f"{name}()", f"if c(): {name}()", f"LATER.append({name})"])
        return [f"def {name}({parameter}):", *head, *body, called]


def type_only(text: str) -> set[str]:
    read = outline(text.encode(), "m", False, ".py")
    assert isinstance(read, Outline)
    meaning = interpret(read).meaning
    names = Names({"m": Module("m", "m.py", ModuleKind.SOURCE, False, "source")}, {"m": meaning})
    never = names.never_runs(meaning)
    return {row.module for row in meaning.imports if never[row.guard]}


def test_what_ran_was_no_type_only_import() -> None:
    programs = [Writer(seed).program() for seed in range(PROGRAMS)]
    command = [sys.executable, "-I", "-S", "-c", RUNNER]
    answer = subprocess.run(command, input=json.dumps(programs), capture_output=True, text=True, check=True)
    judged, proven = 0, 0
    for text, ran in zip(programs, json.loads(answer.stdout), strict=True):
        if ran is not None:  # a few are refused by Python's own rules for `global` and `nonlocal`
            found = type_only(text)
            assert not found & set(ran), text
            judged, proven = judged + 1, proven + len(found)
    assert judged > PROGRAMS * 0.8
    assert proven > PROGRAMS * 2

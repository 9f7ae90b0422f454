"""Bytes and files that nobody would write: read where CPython reads them, and otherwise not judged by place."""

from __future__ import annotations

import ast
import os
import random
import sys
import warnings
from pathlib import Path

import pytest

from abutment.semantics.outline import Unparsed
from abutment.semantics.work import read_file
from tests.laws.workshop import workshop

SOURCES = [
    """\
# A module with what modules have.
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from pkg import a as b, c

if TYPE_CHECKING:
    import pkg.types
try:
    import fast
except ImportError:
    fast = None
__all__ = ["f", *b.__all__]


def f(x: int = 1, *args: str, **rest: object) -> str:
    \'\'\'Say "x" in é and ü.\'\'\'
    for name in ("one", "two"):
        importlib.import_module(f"pkg.{name}", package=__package__)
    return f"{x!r:>{10}} {c['k']}" + "\\n"
""",
    """\
class A(Base, metaclass=Meta):
    x: list[int] = [i for i in range(3) if i % 2]

    async def run(self) -> None:
        async with self.lock as lock, other():
            await lock.take((yield_ := 3))
        match self.x:
            case [first, *others] if first:
                global state
                state = others
            case {"k": 1, **rest} | A(x=rest):
                raise ValueError(rest) from None

    def __getattr__(self, name):
        return lambda *a, b=1: (a, b, 0x1F, 1e-3, 2j, not name)
""",
]
PIECES = [
    *(
        b"\0",
        b"\r",
        b"\r\n",
        b"\x0c",
        b"\x1a",
        b"\xff",
        b"\xc3\x28",
        b"\xef\xbb\xbf",
        b"\\\n",
        b"\t",
        b"(",
        b"}",
        b'"""',
    ),
    *(b"# coding: latin-1\n", b"# coding: utf-16\n", b"#coding:cp037\n", b"# coding: nope\n"),
    *(
        b"import ",
        b"from . import *\n",
        b"from .... import x\n",
        b"__import__('a.b')\n",
        b"lambda:",
        b"async ",
        b":=",
        b"@",
    ),
    *(
        b"global x\n",
        b"match x:\n  case [a, *b]: pass\n",
        b"__all__ += b\n",
        b"f'{x!r:>{w}}'",
        "\u2028".encode(),
        b"1_0",
    ),
]


def mutated(source: bytes, dice: random.Random) -> bytes:
    for _ in range(dice.choice([1, 1, 2, 6])):
        at = dice.randrange(len(source) + 1)
        match dice.randrange(4):
            case 0:
                source = source[:at] + dice.choice(PIECES) + source[at:]
            case 1:
                source = source[:at] + source[at + dice.randrange(1, 20) :]
            case 2:
                source = source[:at] + bytes([dice.randrange(256)]) + source[at + 1 :]
            case _:
                source = source.replace(b"\n", dice.choice([b"\r\n", b"\r", b"\n"]))
    return source


def is_read_by_cpython(source: bytes) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(source)
        except (SyntaxError, ValueError):
            return False
    return True


@pytest.mark.parametrize("seed", range(6))
def test_what_cpython_reads_is_read_and_the_rest_has_a_place(seed: int) -> None:
    dice = random.Random(seed)  # the same bytes in every run
    verdicts = set()
    for _ in range(60):
        source = mutated(dice.choice(SOURCES).encode(), dice)
        found = read_file(source, "pkg.m", False, ".py")
        expected = is_read_by_cpython(source)
        verdicts.add(expected)
        assert isinstance(found, Unparsed) != expected, source
        assert expected or (isinstance(found, Unparsed) and found.line > 0), source
    assert verdicts == {True, False}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither pipes nor such names below a folder")
def test_files_that_are_no_files_and_names_that_are_no_names(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("import shop.gone\n")
    law = 'roots = ["shop"]\ngates = ["blindspots", "cycles"]\n'
    with workshop({"abutment.toml": law, "shop/__init__.py": ""}) as shop:
        folder = shop.root / "shop"
        os.mkfifo(folder / "pipe.py")
        (folder / "loop").symlink_to(".")
        (folder / "itself.py").symlink_to("itself.py")
        (folder / "out.py").symlink_to(outside)
        (folder / "sub" / "__init__.py").mkdir(parents=True)
        shop.write(
            {f"shop/{name}.py": "" for name in ("new\nline", 'q"uote', "::error::x", "\x1b[31mred", "bi\u202edi")}
        )
        assert "shop/out.py: not judged: the link leads out" in shop("check").out
        shop.write({"abutment.toml": f'exclude = ["shop/out.py"]\n{law}'})
        assert shop("init").status == 0
        shop.write({"shop/new\nline.py": "import shop.gone\n"})
        answer = shop("check")
        assert answer.status == 1
        assert "shop/new\\nline.py:1: ABT101" in answer.out
        assert not {"\x1b", "\u202e"} & set(answer.out)

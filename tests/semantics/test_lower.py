from __future__ import annotations

import ast
import gc
import marshal
import re
import sys
import warnings
from collections.abc import Callable
from encodings import aliases
from pathlib import Path

import pytest

from abutment.semantics import python_source
from abutment.semantics.grammar import FORMAT
from abutment.semantics.interpret import interpret
from abutment.semantics.lower import outline
from abutment.semantics.meaning import Meaning
from abutment.semantics.outline import Outline, Unparsed
from abutment.semantics.program import Flag
from abutment.semantics.python_source import encoding_of, given_up

SAMPLE = """
from __future__ import annotations
import typing as t
from . import x
# abutment: a word to the tool
TEXT = '''
# abutment: no comment
'''
__all__ = ["a", *x.__all__]
class C(t.Generic[T]):
    y = [z for z in __all__ if (w := z)]
    def m(self, a, *b, c=1, **d):
        import json
        global G
        def inner():
            nonlocal a
            import csv
        match a:
            case {"k": v, **rest}: pass
            case [1, *others] if others: pass
        try: pass
        except* ValueError as e: pass
        async def co():
            async with a as b, c: import html
            async for i in a: await i
        return lambda q: __import__("zlib")
del TEXT
assert x, "y"
if t.TYPE_CHECKING: x: int = 1
"""


def read(text: str | bytes, module: str = "pkg.m") -> Outline:
    found = outline(text if isinstance(text, bytes) else text.encode(), module, False, ".py")
    assert isinstance(found, Outline)
    return found


def failure(source: bytes) -> Unparsed:
    found = outline(source, "m", False, ".py")
    assert isinstance(found, Unparsed)
    return found


def test_an_outline_survives_being_stored() -> None:
    before = read(SAMPLE)
    packed = marshal.loads(marshal.dumps(before.packed()))
    assert Outline.unpacked(packed) == before
    assert interpret(Outline.unpacked(packed)) == interpret(before)
    with pytest.raises(ValueError, match="format"):
        Outline.unpacked((FORMAT + 1, *packed[1:]))


def test_a_meaning_survives_being_stored() -> None:
    before = interpret(read(SAMPLE)).meaning
    assert Meaning.unpacked(marshal.loads(marshal.dumps(before.packed()))) == before


def test_reading_leaves_no_cycles_behind() -> None:
    interpret(read(SAMPLE))
    gc.collect()
    gc.disable()
    try:
        interpret(read(SAMPLE))
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_only_comments_are_directives() -> None:
    found = read(SAMPLE)
    assert [(found.strings[text], line, found.strings[scope]) for text, line, scope in found.directives] == [
        ("# abutment: a word to the tool", 5, "<module>")
    ]


def test_scopes_carry_pythons_own_qualnames() -> None:
    found = read(SAMPLE)
    names = {found.strings[scope.qualname] for scope in found.scopes}
    assert {"<module>", "C", "C.m", "C.m.<locals>.inner", "C.m.<locals>.co", "C.m.<locals>.<lambda>"} <= names


def test_every_body_gives_rows_behind_those_of_what_it_stands_in() -> None:
    found = read("def f(x):\n    y = g(x)\n    return y\ndef h():\n    import a\n")
    spans = {found.strings[scope.qualname]: (scope.first, scope.end) for scope in found.scopes}
    assert spans["<module>"][1] == spans["f"][0] < spans["f"][1] == spans["h"][0] < spans["h"][1] == len(found.rows)


LONG: list[tuple[Callable[[int], str], int]] = [
    (lambda size: "x = " + " + ".join(["y"] * size), 5_000),
    (lambda size: "x = " + " + ".join(['"y"'] * size), 5_000),
    (lambda size: "if a: pass\n" + "elif b: pass\n" * size + "else:\n    import deep", 2_500),
    (lambda size: "x = y" + ".z" * size, 4_000),
    (lambda size: "x = y" + "()" * size, 2_000),
    (lambda size: "x = " + "not " * size + "y", 2_000),
    (lambda size: "x = " + "-" * size + "y", 2_000),
    (lambda size: "x = " + "[" * size + "]" * size, 90),
    (lambda size: "x = [" + "1," * size + "]", 50_000),
    (lambda size: "x = {" + "'k': 1," * size + "}", 30_000),
    (lambda size: "\n".join(f"if a{i}: b{i} = 1" for i in range(size)), 2_000),
    (lambda size: "\n".join(f"__all__ += ['n{i}']" for i in range(size)), 2_000),
]


@pytest.mark.parametrize(("make", "most"), LONG)
def test_what_cpython_reads_we_read(make: Callable[[int], str], most: int) -> None:
    size = next(size for size in (most >> halved for halved in range(4)) if cpython_reads(make(size)))
    meaning = interpret(read(f"import first\n{make(size)}\nimport last\n")).meaning
    assert {"first", "last"} <= {row.module for row in meaning.imports}


def cpython_reads(text: str) -> bool:
    """Say whether this interpreter compiles the text, however many frames it allows: some nest no deeper than 3,000."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    try:
        compile(text, "long.py", "exec")
    except (RecursionError, MemoryError):
        return False
    finally:
        sys.setrecursionlimit(limit)
    return True


def test_what_nests_too_deep_is_said() -> None:
    before = sys.getrecursionlimit()
    found = failure(b"x = " + b"y" + b".z" * 60_000)
    assert "deeper" in found.message
    assert found.remedy
    assert sys.getrecursionlimit() == before


def test_where_memory_may_have_run_out_both_causes_are_named_and_the_answer_is_for_this_run() -> None:
    known, deep = given_up(MemoryError()), given_up(MemoryError("Parser stack overflowed - …"))
    assert ("memory" in known.message, "deeper" in known.message, known.lasting) == (True, True, False)
    assert ("memory" in deep.message, "deeper" in deep.message, deep.lasting) == (False, True, False)
    assert not failure(b"x = " + b"-" * 100_000 + b"y").lasting
    assert failure(b"def f(:\n").lasting


def test_a_warning_of_the_parser_is_neither_shown_nor_raised() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("error")
        filters = list(warnings.filters)
        read("x = '\\d'\nassert (1, 2)\n1 is 1\n")
        assert warnings.filters == filters
    assert caught == []


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        (b"def f(:\n", 1, "CPython"),
        (b"x = 1\n\ty = 2\n", 2, "indent"),
        (b"if 1:\n\tx = 1\n        y = 2\n", 3, "tabs"),
        (b"x = 1\n\x00", 2, "null"),
        (b"x = 1\ry = '\xff'", 2, "cannot be decoded"),
        (b"x = 1\ny = 'C:\\Users'\n", 2, "grammar of CPython"),
        (b"x = 1\ny = b'\\x'\n", 2, "grammar of CPython"),
        (b"# coding: unicode_escape\nx = 'C:\\Users'\n", 2, "cannot be decoded"),
        (b"# coding: ascii\n\nx = '\xc3\xa9'\n", 3, "cannot be decoded"),
        (b"#!/bin/sh\n# coding: no-such\n", 2, "unknown encoding"),
        (b"# coding: rot13\n", 1, "rot13"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "BOM"),
        (b"x = 1\nexcept* y\n", 2, "invalid syntax"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(source: bytes, line: int, message: str) -> None:
    found = failure(source)
    assert found.line == line
    assert message in found.message
    assert found.remedy


@pytest.mark.parametrize(
    ("source", "codec"),
    [
        (b"", "utf-8"),
        (b"x = 1\n# coding: latin-1\n", "utf-8"),
        (b"# x\n# -*- coding: cp1252 -*-\n", "cp1252"),
        (b"\n\n# coding: cp1252\n", "utf-8"),
        (b"\x0c# coding=cp1252\r", "cp1252"),
        (b"\xef\xbb\xbf# vim: set fileencoding=utf-8 :\n", "utf-8"),
    ],
)
def test_the_encoding_is_that_of_pep_263(source: bytes, codec: str) -> None:
    assert encoding_of(source) == codec


def test_an_import_spelled_in_another_codec_is_found() -> None:
    source = "# coding: utf-7\ndef f():\n    +AGkAbQBwAG8AcgB0 a\n".encode("ascii")
    assert [row.module for row in interpret(read(source)).meaning.imports] == ["a"]


@pytest.mark.parametrize("codec", ["utf-8-unix", "UTF_8_dos", "latin-1-mac", "iso-8859-1-unix", "iso-latin-1-dos"])
def test_line_ends_that_emacs_writes_into_the_cookie_are_read_over(codec: str) -> None:
    assert [row.module for row in interpret(read(f"# -*- coding: {codec} -*-\nimport a\n")).meaning.imports] == ["a"]


@pytest.mark.parametrize("codec", sorted({*aliases.aliases, *aliases.aliases.values(), "idna", "unicode_escape"}))
def test_every_codec_that_the_parser_takes_is_taken(codec: str) -> None:
    source = f"# coding: {codec}\nimport a\n".encode()
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, LookupError):
        failure(source)
    else:
        assert [row.module for row in interpret(read(source)).meaning.imports] == ["a"]


def test_identifiers_are_normalized_before_words_are_sought() -> None:
    source = "from importlib import \uff49mport_module as x\ndef f():\n    x('json')\n"
    (row,) = interpret(read(source)).meaning.dynamic
    assert row.names == ("'json",)


def test_a_lazy_import_of_a_newer_grammar_is_deferred(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = python_source.parse

    def marking(source: bytes) -> ast.Module | Unparsed:
        tree = parse(source)
        assert isinstance(tree, ast.Module)
        tree.body[0].is_lazy = 1  # type: ignore[attr-defined]  # what PEP 810 adds to the node
        return tree

    monkeypatch.setattr(python_source, "parse", marking)
    first, second = interpret(read("import a\nimport b\n")).meaning.imports
    assert (first.flags, second.flags) == (Flag.DEFERRED, Flag.MODULE)


def test_nothing_else_sees_a_syntax_tree() -> None:
    room = Path(__file__).parents[2] / "src" / "abutment"
    seers = {
        path.name
        for path in room.rglob("*.py")
        if re.search(r"^\s*(import ast\b|from ast import (?!literal_eval$))", path.read_text("utf-8"), re.MULTILINE)
    }
    of_syntax = (
        "annotations",
        "directives",
        "draft",
        "expressions",
        "logical_lines",
        "lower",
        "operators",
        "python_source",
        "statements",
    )
    assert seers == {f"{name}.py" for name in of_syntax}

"""Documents are read exactly, and every key is found on its own line."""

from __future__ import annotations

import tomllib
from textwrap import dedent

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.toml_document import load_toml


def line(text: str, *path: str | int) -> int:
    return load_toml("d.toml", dedent(text).lstrip("\n").encode()).locate(path)


def fault(data: bytes) -> Fault:
    with pytest.raises(NotJudged) as caught:
        load_toml("d.toml", data)
    (found,) = caught.value.faults
    return found


EVERYTHING = '''
# a comment with [brackets] and = signs
title = "one # not a comment"

[tool.abutment]            # a header with a comment
roots = [                  # a list over several lines
    "src",
    # a comment ] inside
    { path = "tests", role = "tests" },
    [1,
     2],
]
a.b.c = 1
"quoted.key" = 2
'literal key' = 3
text = """
three " lines ""
]"""
raw = \'\'\'
# no comment \'\'\'
when = 1979-05-27 07:32:00
empty = []
none = {}
nested = { x = { y = [1, { z = 2 }] } }

[[tool.abutment.contracts]]
id = "a"

[[tool.abutment.contracts]]
id = "b"
[tool.abutment.contracts.sub]
key = 1
[[tool.abutment.contracts.more]]
key = 2
[[tool.abutment.contracts.more]]
key = 3

[ other . "x y" ]
last = true'''


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("title",), 2),
        (("tool",), 4),
        (("tool", "abutment"), 4),
        (("tool", "abutment", "roots"), 5),
        (("tool", "abutment", "roots", 0), 6),
        (("tool", "abutment", "roots", 1), 8),
        (("tool", "abutment", "roots", 1, "role"), 8),
        (("tool", "abutment", "roots", 2, 1), 10),
        (("tool", "abutment", "a"), 12),
        (("tool", "abutment", "a", "b", "c"), 12),
        (("tool", "abutment", "quoted.key"), 13),
        (("tool", "abutment", "literal key"), 14),
        (("tool", "abutment", "text"), 15),
        (("tool", "abutment", "raw"), 18),
        (("tool", "abutment", "when"), 20),
        (("tool", "abutment", "empty"), 21),
        (("tool", "abutment", "none"), 22),
        (("tool", "abutment", "nested", "x", "y", 1, "z"), 23),
        (("tool", "abutment", "contracts"), 25),
        (("tool", "abutment", "contracts", 0), 25),
        (("tool", "abutment", "contracts", 0, "id"), 26),
        (("tool", "abutment", "contracts", 1), 28),
        (("tool", "abutment", "contracts", 1, "sub", "key"), 31),
        (("tool", "abutment", "contracts", 1, "more", 0, "key"), 33),
        (("tool", "abutment", "contracts", 1, "more", 1), 34),
        (("tool", "abutment", "contracts", 1, "more", 1, "key"), 35),
        (("other", "x y", "last"), 38),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_key_is_found_on_its_line(path: tuple[str | int, ...], expected: int, newline: str) -> None:
    text = EVERYTHING.lstrip("\n").replace("\n", newline)
    assert load_toml("d.toml", text.encode()).locate(path) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [(("a", "missing"), 2), (("a", "list", 7), 3), (("missing",), 0), ((), 0), (("a", "list", 0, "deeper"), 3)],
)
def test_what_is_not_there_is_placed_by_what_is_around_it(path: tuple[str | int, ...], expected: int) -> None:
    assert line("# c\n[a]\nlist = [1]", *path) == expected


def test_long_strings_may_end_in_quotes() -> None:
    text = '''
        a = """x"""""
        b = """"quoted" \\""""
        c = \'\'\'y\'\'\'\'\'
        d = ""
        e = \'\'
        f = "\\\\"
        g = 1
    '''
    assert [line(text, key) for key in "abcdefg"] == [1, 2, 3, 4, 5, 6, 7]


def test_a_key_with_escapes_is_found_under_what_it_means() -> None:
    assert line('x = 1\n"\\u0061b" = 2', "ab") == 2


def test_the_values_are_those_of_the_reader() -> None:
    text = EVERYTHING.encode()
    assert load_toml("d.toml", text).table == tomllib.loads(EVERYTHING)


@pytest.mark.parametrize(
    ("data", "at", "says"),
    [
        (b"a = 1\na = 2\n", 2, "overwrite"),
        (b"a = 1\nb = \n", 2, "no valid TOML"),
        (b"a = 1\n\nb = [1,\n", 3, "no valid TOML"),
        (b"[a]\n[a]\n", 2, "no valid TOML"),
        (b"\xef\xbb\xbfa = 1\n", 1, "byte order mark"),
        (b"a = 1\nb = '\xe9'\n", 2, "byte 0xe9 is no UTF-8"),
        ("a = 1\n".encode("utf-16"), 1, "no UTF-8"),
        (b"a = 1\n<<<<<<< HEAD\nb = 1\n=======\nb = 2\n>>>>>>> x\n", 2, "conflict markers"),
        (b"a = 1\r\n<<<<<<< HEAD\r\nb = 1\r\n", 2, "conflict markers"),
        (b"a = '\x00'\n", 1, "no valid TOML"),
        (b"a =", 1, "no valid TOML"),
        (b"a = " + b"[" * 3000 + b"]" * 3000, 0, "nested too deeply"),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(data: bytes, at: int, says: str) -> None:
    found = fault(data)
    assert (found.path, found.line) == ("d.toml", at)
    assert says in found.message


def test_a_marker_inside_a_text_is_no_conflict() -> None:
    assert load_toml("d.toml", b"a = '''\n<<<<<<< HEAD\n'''\n").table == {"a": "<<<<<<< HEAD\n"}


def test_depth_that_the_reader_takes_is_located() -> None:
    depth = 60
    text = f"a = {'[' * depth}\n1{']' * depth}\nb = 2\n"
    assert line(text, "b") == 3
    assert line(text, "a", *[0] * depth) == 2


_keys = st.text("abc \"'.#=[]é\n\\", min_size=1, max_size=4)
_scalars = st.one_of(st.integers(), st.booleans(), st.text("ab\n\"'#]}=,\\é", max_size=8), st.floats(allow_nan=False))
_values = st.recursive(
    _scalars,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(_keys, below, max_size=3)),
    max_leaves=12,
)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.dictionaries(_keys, _values, min_size=1, max_size=4))
def test_every_path_of_a_written_document_has_a_line_that_names_it(table: dict[str, object]) -> None:
    table = {**table, "the_last": 1}
    text = tomlkit.dumps(table, sort_keys=False)
    document = load_toml("d.toml", text.encode())
    assert document.table == table
    lines = text.split("\n")
    found = {path: document.locate(path) for path in _paths(document.table)}
    assert all(1 <= at <= text.count("\n") + 1 for at in found.values())
    at = found[("the_last",)]
    assert lines[at - 1].replace("'", '"').startswith("the_last = 1")


def _paths(value: object, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    own = [at] if at else []
    if isinstance(value, dict):
        return own + [path for key, below in value.items() for path in _paths(below, (*at, key))]
    if isinstance(value, list):
        return own + [path for index, below in enumerate(value) for path in _paths(below, (*at, index))]
    return own

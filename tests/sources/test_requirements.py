"""Are requirement files and declared dependencies read as pip and the standards do?"""

from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.requirements import Pin, read_pins
from abutment.sources.wanted import read_wanted


def pins(text: str, **others: str) -> list[Pin]:
    tree = MemoryTree({"r.txt": text, **{name.replace("_", "/") + ".txt": other for name, other in others.items()}})
    return list(read_pins(tree.read, "r.txt"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("click==8.1.7", ["1 click 8.1.7 exact"]),
        ("Ruamel.Yaml_X==1", ["1 ruamel-yaml-x 1 exact"]),
        (
            "click==8.1.7 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\nidna==3",
            ["1 click 8.1.7 exact hashed", "4 idna 3 exact"],
        ),
        ("# all\n\nclick==8  # because\n    # via x\nidna===3", ["3 click 8 exact", "5 idna 3 exact"]),
        ("click==8 ; python_version < '3.12'", ["1 click 8 exact"]),
        ("coverage[toml]==7", ["1 coverage 7 exact"]),
        ("click>=8", ["1 click "]),
        ("click==8.*", ["1 click "]),
        ("click==8,!=8.1", ["1 click "]),
        ("click", ["1 click "]),
        ("x @ https://example.org/x-1-py3-none-any.whl#sha256=aa", ["1 x  exact"]),
        ("--index-url https://example.org/simple\n-i x\n--require-hashes\n--pre\nclick==8", ["5 click 8 exact"]),
        ("\ufeffclick==8\r\nidna==3\r\n", ["1 click 8 exact", "2 idna 3 exact"]),
    ],
)
def test_a_line_is_read_as_pip_reads_it(text: str, told: list[str]) -> None:
    found = pins(text)
    words = [
        f"{pin.site.line} {pin.name} {pin.version}{' exact' * pin.is_exact}{' hashed' * pin.is_hashed}" for pin in found
    ]
    assert words == told


def test_a_file_may_name_others_beside_it() -> None:
    found = pins("-r below/more.txt\nclick==8\n", below_more="--requirement=other.txt\n", below_other="idna==3\n")
    assert [(pin.name, pin.site.place()) for pin in found] == [("idna", "below/other.txt:1"), ("click", "r.txt:2")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("click = 8", "'click = 8' is not understood"),
        ("./click", "is not understood"),
        ("-e .", "is not understood"),
        ("https://example.org/x.whl", "is not understood"),
        ("--unknown-option\n", "is not understood"),
        ("<<<<<<< HEAD\nclick==8\n", "is not understood"),
        ("click==8 \\", "breaks off within a line"),
        ("-r r.txt", "named by a file that it names itself"),
        ("-r nowhere.txt", "nowhere.txt"),
    ],
)
def test_what_is_not_understood_is_not_passed_over(text: str, message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        pins(text)
    assert message in refusal.value.faults[0].line_text()


def test_latin_1_is_not_judged() -> None:
    with pytest.raises(NotJudged, match="no UTF-8"):
        list(read_pins(lambda _path: b"click==8  # caf\xe9\n", "r.txt"))


PROJECT = """\
[project]
name = "x"
dependencies = ["Click>=8,<9", "tomli; python_version < '3.11'"]

[project.optional-dependencies]
fast_json = ["orjson"]

[dependency-groups]
dev = ["pytest>=8", {include-group = "Lint.Tools"}]
lint-tools = ["ruff"]
"""


def test_what_is_declared_is_read_with_its_line() -> None:
    found = read_wanted(PROJECT.encode(), ("dev",), ("fast-json",))
    assert [(one.name, one.specifier, one.marker, one.site.line) for one in found] == [
        ("click", "<9,>=8", "", 3),
        ("tomli", "", 'python_version < "3.11"', 3),
        ("orjson", "", "", 6),
        ("pytest", ">=8", "", 9),
        ("ruff", "", "", 10),
    ]


def test_an_extra_may_ask_for_others_of_its_own_project() -> None:
    extras = 'a = ["orjson"]\nb = ["My_Shop[a]", "idna"]\nall = ["my-shop[b]"]\n'
    text = f'[project]\nname = "my.shop"\n[project.optional-dependencies]\n{extras}'
    assert [one.name for one in read_wanted(text.encode(), (), ("all",))] == ["orjson", "idna"]
    text += '[dependency-groups]\ndev = ["my-shop[a]", "ruff"]\n'
    assert [one.name for one in read_wanted(text.encode(), ("dev",), ())] == ["orjson", "ruff"]


@pytest.mark.parametrize(
    ("text", "groups", "extras", "message"),
    [
        ("", (), (), "has no [project]"),
        ("[project]\ndependencies = ['x = 1']", (), (), "'x = 1' is no requirement"),
        ("[project]\ndependencies = [1]", (), (), "1 is no requirement"),
        ("[project]\ndependencies = 'x'", (), (), "project.dependencies: expected a list"),
        ("[project]\n[dependency-groups]\na = 'x'", ("a",), (), "dependency-groups.a: expected a list"),
        ("[project]\ndynamic = ['dependencies']", (), (), "dependencies is dynamic"),
        ("[project]\ndynamic = ['optional-dependencies']", (), ("e",), "optional-dependencies is dynamic"),
        ("[project]", ("dev",), (), "[dependency-groups] has no 'dev'"),
        ("[project]", (), ("e",), "[project.optional-dependencies] has no 'e'"),
        ("[project]\nname = 'x'\n[project.optional-dependencies]\na = ['x[a]']", (), ("a",), "asks for itself"),
        ("[project]\n[dependency-groups]\na = [{include-group = 'a'}]", ("a",), (), "includes itself"),
        ("[project]\n[dependency-groups]\na = [{other = 'a'}]", ("a",), (), "is no requirement"),
    ],
)
def test_what_cannot_be_told_is_not_judged(
    text: str, groups: tuple[str, ...], extras: tuple[str, ...], message: str
) -> None:
    with pytest.raises(NotJudged) as refusal:
        read_wanted(text.encode(), groups, extras)
    assert message in refusal.value.faults[0].message

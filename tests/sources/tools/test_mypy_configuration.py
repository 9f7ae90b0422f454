"""Which file configures mypy, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.mypy_configuration import MypyConfiguration, find_configuration, matches

TOML = '[tool.mypy]\nstrict = true\nplugins = ["tools/p.py:start", "pydantic.mypy"]\n'
INI = "[mypy]\nstrict = True\nplugins = tools/p.py:start, pydantic.mypy\n"


def put(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"mypy.ini": INI, ".mypy.ini": INI, "pyproject.toml": TOML}, "mypy.ini"),
        ({".mypy.ini": INI, "pyproject.toml": TOML, "setup.cfg": INI}, ".mypy.ini"),
        ({"pyproject.toml": TOML, "setup.cfg": INI}, "pyproject.toml"),
        ({"pyproject.toml": "[tool.ruff]\n", "setup.cfg": INI}, "setup.cfg"),
        ({"setup.cfg": "[flake8]\n", "../pyproject.toml": TOML}, "pyproject.toml"),
        ({"mypy.ini": "", "pyproject.toml": TOML}, "mypy.ini"),  # mypy takes it, and complains
        ({"pyproject.toml": "[tool.ruff]\n"}, None),
        ({".git/HEAD": "", "../pyproject.toml": TOML}, None),  # no higher than the repository
        ({}, None),
    ],
)
def test_the_first_file_that_says_something_counts(tmp_path: Path, files: dict[str, str], name: str | None) -> None:
    root = tmp_path / "above" / "project"
    root.mkdir(parents=True)
    put(root.parent, {".hg/requires": ""})
    put(root, files)
    found = find_configuration(root)
    assert (found.path.name if found.path else None) == name


def test_a_home_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    put(project, {".git/HEAD": ""})
    put(home, {".mypy.ini": INI, ".config/mypy/config": INI})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    assert find_configuration(project).argument(project) == "--config-file="


@pytest.mark.parametrize(("name", "text"), [("pyproject.toml", TOML), ("mypy.ini", INI), ("setup.cfg", INI)])
def test_both_forms_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    put(tmp_path, {name: text, "tools/p.py": "x = 1\n"})
    found = find_configuration(tmp_path)
    assert found.says("strict")
    assert tuple(found.plugin_files()) == ("tools/p.py",)
    assert found.plugin_packages() == ("pydantic",)
    assert found.parts(tmp_path)["plugin tools/p.py"] == b"x = 1\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool.mypy]\n[[tool.mypy.overrides]]\nmodule = ["a", "b.*"]\nignore_errors = true\n'),
        ("mypy.ini", "[mypy]\n[mypy-a,b.*]\nignore_errors = true\n"),
    ],
)
def test_sections_are_told_by_pattern(tmp_path: Path, name: str, text: str) -> None:
    put(tmp_path, {name: text})
    assert [pattern for pattern, _options in find_configuration(tmp_path).sections] == ["a", "b.*"]


def test_another_order_and_other_comments_are_the_same_configuration(tmp_path: Path) -> None:
    put(
        tmp_path,
        {"a.ini": "[mypy]\nstrict = True\nfiles = src\n", "b.ini": "# so\n[mypy]\nfiles = src\nstrict = True\n"},
    )
    one, other = (find_configuration(tmp_path, name).parts(tmp_path) for name in ("a.ini", "b.ini"))
    assert one == other


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({}, "none.ini"),
        ({"a.toml": "[tool.ruff]\n"}, "a.toml"),
        ({"mypy.ini": "[mypy\n"}, None),
        ({"pyproject.toml": "[tool\n"}, None),
        ({"mypy.ini": "[mypy]\na = 1\n[mypy]\n"}, None),
    ],
)
def test_a_configuration_that_cannot_be_read_is_not_judged(
    tmp_path: Path, files: dict[str, str], named: str | None
) -> None:
    put(tmp_path, files)
    with pytest.raises(NotJudged):
        find_configuration(tmp_path, named)


def test_a_plugin_that_is_not_there_is_not_judged(tmp_path: Path) -> None:
    with pytest.raises(NotJudged, match="plugin"):
        MypyConfiguration(options={"plugins": "tools/p.py"}).parts(tmp_path)


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("a.b", ["a.b"], ["a", "a.b.c", "a.bc"]),
        ("a.b.*", ["a.b", "a.b.c", "a.b.c.d"], ["a", "a.bc"]),
        ("*.b", ["a.b", "a.c.b"], ["b", "a.b.c"]),
        ("a.*.c", ["a.c", "a.b.c", "a.b.b.c"], ["a", "a.b"]),
        ("*", ["a", "a.b"], []),
    ],
)
def test_a_section_is_for_the_modules_of_its_pattern(pattern: str, yes: list[str], no: list[str]) -> None:
    assert [name for name in (*yes, *no) if matches(pattern, name)] == yes

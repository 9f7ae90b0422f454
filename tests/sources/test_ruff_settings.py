"""What decides about ruff's findings is told by its resolved settings, on every machine in the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.tools.output import Output
from abutment.sources.tools.ruff_settings import (
    RuffSettings,
    conditions_of,
    explained,
    governed,
    read_settings,
    switched_on,
)

FOLDER = Path(__file__).parents[2] / "fixtures" / "tools" / "ruff-settings"
TEXT = (FOLDER / "0.17.6.txt").read_text(encoding="utf-8")
PATTERN = "\tabsolute_matcher ="


def read(text: str) -> RuffSettings:
    return read_settings(Output("ruff", text.encode(), b"", 0))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_rules_and_patterns_are_read_of_each_version(path: Path) -> None:
    found = read(path.read_text(encoding="utf-8"))
    assert {"F401", "D211"} < set(found.rules)
    assert not {"D203", "E101"} & set(found.rules)  # E101 stands in `per-file-ignores` alone
    assert b'"/src/sub/x-*.py"' in found.rest
    assert b"E101" in found.rest
    assert b"/srv/checkout" not in found.rest


def test_another_folder_and_another_order_of_patterns_are_the_same_settings() -> None:
    head, one, other, tail = _parted(TEXT)
    assert read((head + other + one + tail).replace("/srv/checkout", "/home/me/a b")) == read(TEXT)


def _parted(text: str) -> tuple[str, str, str, str]:
    head, one, other = text.split(PATTERN)
    at = other.index("}\nlinter.")
    return head, PATTERN + one, PATTERN + other[:at], other[at:]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('cache_dir = "/srv/checkout/cc"', 'cache_dir = "/tmp/elsewhere"'),
        ("fix = true", "fix = false"),
        ("output_format = full", "output_format = concise"),
        ("formatter.line_width = 88", "formatter.line_width = 100"),
        ('Resolved settings for: "/srv/checkout/src/a.py"', 'Resolved settings for: "/srv/checkout/src/b.py"'),
    ],
)
def test_what_finds_nothing_is_of_no_account(old: str, new: str) -> None:
    assert old in TEXT
    assert read(TEXT.replace(old, new)) == read(TEXT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("linter.line_length = 88", "linter.line_length = 100"),
        ("linter.preview = disabled", "linter.preview = enabled"),
        ("linter.unresolved_target_version = 3.11", "linter.unresolved_target_version = 3.12"),
        ('\t"src/gen*",\n', ""),
        ('basename_matcher = "tests/**"', 'basename_matcher = "test/**"'),
        ("\tlambda-assignment (E731),\n", ""),
        ("file_resolver.respect_gitignore = true", "file_resolver.respect_gitignore = false"),
    ],
)
def test_what_decides_what_is_found_is_a_condition(old: str, new: str) -> None:
    assert old in TEXT
    assert read(TEXT.replace(old, new)).rest != read(TEXT).rest


@pytest.mark.parametrize(
    "text", ["", "[]", "ruff failed", TEXT.replace("linter.rules.enabled", "linter.on"), TEXT[:900]]
)
def test_settings_that_are_not_understood_are_not_judged(text: str) -> None:
    with pytest.raises(NotJudged, match="does not say its settings"):
        read(text)


def test_each_configuration_below_the_root_is_asked_for_once(tmp_path: Path) -> None:
    for path, text in {
        "pyproject.toml": "[tool.ruff]\n",
        "a/ruff.toml": "",
        "a/b/pyproject.toml": "[project]\n",
        "c/pyproject.toml": "[tool.ruff.lint]\nselect = []\n",
        "d/pyproject.toml": "no toml [",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    files = ["a/b/y.py", "a/x.py", "c/deep/er/z.py", "d/w.py", "m.py"]
    assert governed(files, tmp_path) == {"a": "a/b/y.py", "c": "c/deep/er/z.py", ".": "d/w.py"}


def conditions(rules: str, inner: str | None = None, rest: bytes = b"") -> dict[str, str]:
    found = {".": RuffSettings(tuple(rules.split()), rest)}
    if inner is not None:
        found["docs"] = RuffSettings(tuple(inner.split()), rest)
    return {"ruff": "1.0", **conditions_of(found)}


def test_a_rule_that_is_switched_on_or_off_explains_what_it_says() -> None:
    differs = explained(conditions("B006 F401"), conditions("F401 UP006"))
    told = {code: differs("a.py", code) for code in ("B006", "F401", "UP006", "RUF100")}
    assert told == {"B006": True, "F401": False, "UP006": True, "RUF100": True}


def test_it_explains_that_only_where_its_configuration_governs() -> None:
    differs = explained(conditions("F401", "F401"), conditions("F401", "F401 B006"))
    assert differs("docs/conf.py", "B006")
    assert not differs("docsy/conf.py", "B006")
    assert not differs("a.py", "B006")


@pytest.mark.parametrize(
    "now",
    [
        {**conditions("F401"), "ruff": "2.0"},
        conditions("F401", rest=b"line_length"),
        conditions("F401", "F401"),
        {**conditions("F401"), "targets": "src"},
    ],
)
def test_anything_else_explains_everything(now: dict[str, str]) -> None:
    assert explained(conditions("F401"), now)("a.py", "F401")


def test_the_rules_that_are_on_anywhere_are_known_from_the_conditions() -> None:
    assert switched_on(conditions("F401 B006", "E501")) == {"F401", "B006", "E501"}

"""One configuration is found, or it is said why not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.sources.settings import find_configuration, load_settings, settings_from

OURS = "[tool.abutment]\nroots = ['src']\n"
OWN = "roots = ['src']\n"


def lay(top: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_bytes(text.encode())


def refusal(path: Path, ask: object = find_configuration) -> str:
    assert callable(ask)
    with pytest.raises(NotJudged) as caught:
        ask(path)
    return "\n".join(fault.line_text() for fault in caught.value.faults)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"pyproject.toml": OURS}, "pyproject.toml"),
        ({"abutment.toml": OWN}, "abutment.toml"),
        ({"a/b/pyproject.toml": OURS, "pyproject.toml": OURS}, "a/b/pyproject.toml"),
        ({"a/abutment.toml": OWN, "pyproject.toml": OURS}, "a/abutment.toml"),
        # an empty table counts as none, and so does a table of others
        ({"a/pyproject.toml": "[tool.abutment]\n", "pyproject.toml": OURS}, "pyproject.toml"),
        ({"a/pyproject.toml": "[tool.other]\nx = 1\n", "pyproject.toml": OURS}, "pyproject.toml"),
        ({"a/abutment.toml": "# nothing yet\n", "abutment.toml": OWN}, "abutment.toml"),
        ({"pyproject.toml": "[tool.abutment]\n", "abutment.toml": OWN}, "abutment.toml"),
        # another tool's broken file cannot be speaking of us
        ({"a/pyproject.toml": "[broken", "pyproject.toml": OURS}, "pyproject.toml"),
        # a folder of that name is no file
        ({"a/pyproject.toml/x": "", "pyproject.toml": OURS}, "pyproject.toml"),
    ],
)
def test_the_nearest_configuration_upward_is_meant(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    lay(tmp_path, {**files, "a/b/x.py": ""})
    assert find_configuration(tmp_path / "a" / "b") == tmp_path / expected


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (
            {"pyproject.toml": OURS, "abutment.toml": OWN},
            "../abutment.toml: pyproject.toml beside it has [tool.abutment] as well. Keep one.",
        ),
        ({"pyproject.toml": "[tool.abutment]\nx = \n"}, "../pyproject.toml:2: no valid TOML: Invalid value."),
        ({"pyproject.toml": "[tool]\nabutment = 3\n"}, "../pyproject.toml:2: tool.abutment: expected a table."),
        ({"pyproject.toml": "tool = 'abutment'\n"}, "../pyproject.toml:1: tool: expected a table."),
        ({"abutment.toml": "x"}, "../abutment.toml:1: no valid TOML"),
    ],
)
def test_what_cannot_be_decided_is_named_from_where_the_user_stands(
    tmp_path: Path, files: dict[str, str], says: str
) -> None:
    lay(tmp_path, {**files, "a/x.py": ""})
    assert refusal(tmp_path / "a").startswith(says)


def test_without_any_configuration_init_is_the_remedy(tmp_path: Path) -> None:
    said = refusal(tmp_path)
    assert f"no configuration in {tmp_path} or above." in said
    assert "abutment init" in said


def test_configurations_below_are_named(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "services/b/abutment.toml": OWN,
            "services/a/pyproject.toml": OURS,
            "empty/pyproject.toml": "[tool.abutment]\n",
            ".venv/pyproject.toml": OURS,
            "env/pyvenv.cfg": "",
            "env/lib/pyproject.toml": OURS,
            "node_modules/x/pyproject.toml": OURS,
        },
    )
    assert refusal(tmp_path) == (
        "no configuration here or above, but below: services/a/pyproject.toml, services/b/abutment.toml. "
        "Say which: --config services/a/pyproject.toml --config services/b/abutment.toml"
    )


def test_a_relative_start_is_taken_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, {"abutment.toml": OWN, "a/x": ""})
    monkeypatch.chdir(tmp_path / "a")
    assert find_configuration(Path()) == tmp_path / "abutment.toml"


# --- loading


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "# c\n[tool.abutment]\nroots = [\n 'src',\n]\n"),
        ("abutment.toml", "# c\n\nroots = [\n 'src',\n]\n"),
    ],
)
def test_settings_know_their_lines(tmp_path: Path, name: str, text: str) -> None:
    lay(tmp_path, {name: text})
    for path in (tmp_path / name, tmp_path):
        raw = load_settings(path)
        assert (raw.file, raw.root, raw.table) == (name, str(tmp_path), {"roots": ["src"]})
        assert raw.locate(("roots",)) == 3
        assert raw.locate(("roots", 0)) == 4
    assert load_settings(tmp_path).locate(()) == (2 if name == "pyproject.toml" else 0)


def test_a_file_of_any_name_may_be_given(tmp_path: Path) -> None:
    lay(tmp_path, {"law.toml": OWN})
    assert load_settings(tmp_path / "law.toml").table == {"roots": ["src"]}


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("pyproject.toml", "[project]\n", "pyproject.toml: the file has no [tool.abutment]."),
        ("abutment.toml", "", "abutment.toml: the file is empty."),
        ("abutment.toml", "[", "abutment.toml:1: no valid TOML"),
    ],
)
def test_a_file_that_configures_nothing_is_refused(tmp_path: Path, name: str, text: str, says: str) -> None:
    lay(tmp_path, {name: text})
    assert refusal(tmp_path / name, load_settings).startswith(says)


def test_a_folder_or_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert "no configuration in" in refusal(tmp_path, load_settings)
    assert "x.toml: the file cannot be read: No such file" in refusal(tmp_path / "x.toml", load_settings)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, {"abutment.toml": OWN})
    (tmp_path / "abutment.toml").chmod(0)
    assert "cannot be read: Permission denied" in refusal(tmp_path)


def test_a_revision_without_our_table_has_empty_settings() -> None:
    assert settings_from("pyproject.toml", b"[project]\nname = 'x'\n", "/p").table == {}
    assert settings_from("abutment.toml", b"", "/p").table == {}

"""The first configuration joins a file without disturbing a byte of what was there."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abutment.errors import NotJudged, Refused
from abutment.sources import whole_file
from abutment.sources.settings import load_settings
from abutment.sources.settings_file import render_configuration, write_configuration
from abutment.sources.universe import Role

CONTRACT = {"id": "layers-app", "kind": "layers", "layers": ["app.api", "app.db"]}
SETTINGS: dict[str, object] = {
    "roots": ["src", {"path": "tests", "role": Role.TESTS}],
    "gates": ("blindspots", "cycles"),
    "cycles": {"hold": "members", "deferred": True},
    "contracts": [CONTRACT, {**CONTRACT, "id": "b"}],
}
COMMENTS = {"roots": ["Where names begin."], "cycles": ["Large."], "": ["[[tool.abutment.contracts]]", 'id = "c"']}

BODY = """\
# Where names begin.
roots = ["src", {path = "tests", role = "tests"}]
gates = ["blindspots", "cycles"]

# Large.
[{0}cycles]
hold = "members"
deferred = true

[[{0}contracts]]
id = "layers-app"
kind = "layers"
layers = ["app.api", "app.db"]

[[{0}contracts]]
id = "b"
kind = "layers"
layers = ["app.api", "app.db"]

# [[tool.abutment.contracts]]
# id = "c"
"""
OWN = BODY.replace("{0}", "")
TABLE = BODY.replace("{0}", "tool.abutment.")


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_without_a_pyproject_there_is_a_file_of_our_own(tmp_path: Path) -> None:
    assert write_configuration(tmp_path, SETTINGS, COMMENTS) == tmp_path / "abutment.toml"
    assert (tmp_path / "abutment.toml").read_text() == OWN
    assert tomllib.loads(OWN)["contracts"][1]["id"] == "b"
    assert load_settings(tmp_path).table["gates"] == ["blindspots", "cycles"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"[tool.abutment]\n{TABLE}"),
        ("[project]\nname = 'x'  # mine\n", f"[project]\nname = 'x'  # mine\n\n[tool.abutment]\n{TABLE}"),
        ("[project]\nname = 'x'", f"[project]\nname = 'x'\n\n[tool.abutment]\n{TABLE}"),
        # an empty table is filled where it stands
        (
            "[tool.abutment]  # soon\n# a note\n\n[tool.ruff]\nline-length = 9\n",
            f"[tool.abutment]  # soon\n{TABLE}# a note\n\n[tool.ruff]\nline-length = 9\n",
        ),
        ("[tool.ruff]\nx = 1\n\n[ tool . abutment ]", f"[tool.ruff]\nx = 1\n\n[ tool . abutment ]\n{TABLE}"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_people_wrote_stays_byte_for_byte(tmp_path: Path, before: str, after: str, newline: str) -> None:
    if newline == "\r\n" and "\n" not in before:
        newline = "\n"  # a file without a line end has no style to keep
    path = tmp_path / "pyproject.toml"
    path.write_bytes(before.replace("\n", newline).encode())
    assert write_configuration(tmp_path, SETTINGS, COMMENTS) == path
    assert path.read_bytes().decode() == after.replace("\n", newline)


def test_a_draft_shows_what_would_be_added_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    draft = render_configuration(tmp_path, SETTINGS, COMMENTS)
    assert draft.path.name == "pyproject.toml"
    assert draft.added == f"[tool.abutment]\n{TABLE}"
    assert draft.text == f"[project]\n\n{draft.added}"
    assert (tmp_path / "pyproject.toml").read_text() == "[project]\n"
    assert list(contents(tmp_path)) == ["pyproject.toml"]


@pytest.mark.parametrize(
    ("files", "refused"),
    [
        ({"pyproject.toml": "[tool.abutment]\nroots = []\n"}, "pyproject.toml: there is a configuration already."),
        ({"pyproject.toml": "[tool.abutment.cycles]\n"}, "pyproject.toml: there is a configuration already."),
        ({"abutment.toml": "roots = []\n"}, "abutment.toml: there is a configuration already."),
        ({"pyproject.toml": "", "abutment.toml": "roots = []\n"}, "there is a configuration already."),
        ({"pyproject.toml": "tool = { x = 1 }\n"}, "pyproject.toml: [tool.abutment] cannot be added to the file"),
        ({"pyproject.toml": "[tool]\nabutment = {}\n"}, "pyproject.toml: [tool.abutment] cannot be added to the file"),
    ],
)
def test_nothing_is_ever_overwritten(tmp_path: Path, files: dict[str, str], refused: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(Refused) as caught:
        write_configuration(tmp_path, SETTINGS)
    assert refused in caught.value.faults[0].line_text()
    assert contents(tmp_path) == files


@pytest.mark.parametrize("text", ["[broken", "\ufeff[project]\n", "[tool]\nabutment = 1\n"])
def test_a_file_that_is_no_toml_is_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(NotJudged):
        write_configuration(tmp_path, SETTINGS)
    assert (tmp_path / "pyproject.toml").read_text() == text


def test_an_own_file_that_is_empty_is_filled(tmp_path: Path) -> None:
    (tmp_path / "abutment.toml").write_text("# ours\n")
    write_configuration(tmp_path, {"roots": ["src"]})
    assert (tmp_path / "abutment.toml").read_text() == '# ours\n\nroots = ["src"]\n'


def test_the_mode_is_kept_and_a_link_written_through(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "pyproject.toml"
    real.write_text("[project]\n")
    real.chmod(0o640)
    link = tmp_path / "pyproject.toml"
    link.symlink_to("real/pyproject.toml")
    write_configuration(tmp_path, {"roots": ["src"]})
    assert link.is_symlink()
    assert real.read_text() == '[project]\n\n[tool.abutment]\nroots = ["src"]\n'
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["pyproject.toml", "abutment.toml"])
def test_nothing_is_written_through_a_link_that_leads_out(tmp_path: Path, name: str) -> None:
    real = tmp_path / name
    real.write_text("")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / name).symlink_to(f"../{name}")
    with pytest.raises(Refused, match="leads out of the project"):
        write_configuration(tmp_path / "project", {"roots": ["src"]})
    assert real.read_text() == ""


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    path = write_configuration(tmp_path, {"roots": ["src"]})
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize(("owner", "step"), [(os, "fsync"), (Path, "replace")])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: object, step: str
) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\n")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(owner, step, fail)
    with pytest.raises(NotJudged, match=r"pyproject\.toml: the file cannot be written: No space left on device"):
        write_configuration(tmp_path, {"roots": ["src"]})
    assert contents(tmp_path) == {"pyproject.toml": "[project]\n"}


def test_a_file_that_somebody_wrote_meanwhile_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\n")
    sync = os.fsync

    def meddle(descriptor: int) -> None:
        path.write_text("[other]\n")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", meddle)
    with pytest.raises(Refused, match="somebody else has just written the file"):
        write_configuration(tmp_path, {"roots": ["src"]})
    assert path.read_text() == "[other]\n"
    assert list(contents(tmp_path)) == ["pyproject.toml"]


def test_a_folder_in_the_files_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "abutment.toml").mkdir()
    with pytest.raises(NotJudged, match=r"abutment\.toml: the file cannot be read: Is a directory"):
        write_configuration(tmp_path, {"roots": ["src"]})


def test_a_folder_need_not_be_synced_where_it_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(os, "name", "nt")
        whole_file._sync_folder(tmp_path / "not there")


def test_long_lists_stand_one_member_a_line(tmp_path: Path) -> None:
    write_configuration(tmp_path, {"exclude": [f"some/quite/long/path/{n}/" for n in range(5)]})
    assert (tmp_path / "abutment.toml").read_text().splitlines()[:3] == [
        "exclude = [",
        '    "some/quite/long/path/0/",',
        '    "some/quite/long/path/1/",',
    ]


def test_comments_cannot_break_out_of_their_line(tmp_path: Path) -> None:
    write_configuration(tmp_path, {"roots": ["src"]}, {"roots": ["a\nb = 1\x7f", ""]})
    assert (tmp_path / "abutment.toml").read_text() == '# a b = 1\n#\nroots = ["src"]\n'


def test_what_is_no_setting_is_our_own_mistake(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="object"):
        render_configuration(tmp_path, {"roots": object()})


def test_a_name_that_is_no_text_is_refused_and_not_half_written(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"cannot be added to the file .*surrogates not allowed"):
        write_configuration(tmp_path, {"roots": ["src\udcff"]})
    assert contents(tmp_path) == {}


def test_tomlkit_is_loaded_only_where_something_is_written() -> None:
    asked = "import sys, abutment.sources.settings_file; sys.exit('tomlkit' in sys.modules)"
    subprocess.run([sys.executable, "-c", asked], check=True)


_TEXTS = st.text(max_size=12)
_SIMPLE = st.one_of(_TEXTS, st.integers(-(2**40), 2**40), st.booleans())
_VALUES = st.recursive(
    _SIMPLE,
    lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(_TEXTS, below, max_size=4)),
    max_leaves=8,
)


@settings(
    max_examples=100, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(values=st.dictionaries(_TEXTS, _VALUES, min_size=1, max_size=4), lines=st.lists(_TEXTS, max_size=2))
def test_whatever_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, object], lines: list[str]
) -> None:
    root = tmp_path_factory.mktemp("project")
    (root / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    write_configuration(root, values, dict.fromkeys((*values, ""), lines))
    assert load_settings(root).table == values

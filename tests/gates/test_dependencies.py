"""Is what the project depends on held to what it declares, and to what is known of it?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from abutment.errors import NotJudged
from abutment.gates.dependencies import GATE, prepare
from abutment.model.grants import Approval, Grants
from abutment.model.identity import Key
from abutment.model.measurement import Measurement
from abutment.model.site import Site
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.tree import Tree
from abutment.sources.work_tree import WorkTree
from tests.broken import KEPT
from tests.families import program_of
from tests.settings import settings_of

PROJECT = '[project]\nname = "x"\ndependencies = [{}]\n'
HASH = " --hash=sha256:00"


def measured(tree: Tree, grants: Grants | None = None, /, **table: object) -> Measurement:
    return GATE.measure(program_of(""), prepare(settings_of(GATE, table), tree), grants or Grants())


def told(declared: str, pinned: str) -> list[str]:
    wanted = ", ".join(f'"{one}"' for one in declared.split(" & "))
    tree = MemoryTree({"pyproject.toml": PROJECT.format(wanted), "r.txt": pinned.replace(" & ", "\n")})
    return [" ".join(key[:2]) for key in sorted(measured(tree, requirements=["r.txt"]).counts)]


@pytest.mark.parametrize(
    ("declared", "pinned", "troubles"),
    [
        ("click>=8", "click==8.1", []),
        ("Click>=8", "cLICK==8.1", []),
        ("click", "click==8.1rc1", []),
        ("click>=8", "click==7.1", ["outside click"]),
        ("click>=8", "idna==3", ["unpinned click"]),
        ("click>=8", "click>=8", ["unpinned click"]),
        ("click[x]>=8 & idna", "click==8.1 & idna==3", []),
        ("click @ https://example.org/c.whl", "click @ https://example.org/c.whl", []),
        ("tomli; python_version < '3'", "idna==3", []),
        ("tomli; python_version > '3'", "idna==3", ["unpinned tomli"]),
        ("tomli>=2; python_version < '3'", "tomli==1", ["outside tomli"]),
        # a lock for several Pythons has several pins, and each declaration has its own
        ("np<2; python_version < '3.12' & np>=2; python_version >= '3.12'", "np==1.9 & np==2.1", []),
        ("np<2", "np==1.9 ; python_version < '3.12' & np==2.1 ; python_version >= '3.12'", ["outside np"]),
        ("click", f"click==8{HASH} & idna==3{HASH}", []),
        ("click", f"click==8{HASH} & idna==3", ["unhashed idna"]),
        ("click", "click==8 & idna==3", []),
        ("click", f"click==8{HASH} & idna>=3", ["unpinned idna"]),
    ],
)
def test_a_requirement_file_holds_what_is_declared(declared: str, pinned: str, troubles: list[str]) -> None:
    assert told(declared, pinned) == troubles


def test_a_package_is_wrong_in_one_way_once() -> None:
    tree = MemoryTree({"pyproject.toml": PROJECT.format('"click>=8,<9"'), "r.txt": "click==7\n"})
    found = measured(tree, requirements=["r.txt"])
    assert found.counts == {("outside", "click", "r.txt"): 1}
    evidence = found.describe(("outside", "click", "r.txt"))
    assert evidence.what == "click<9,>=8 is declared in pyproject.toml, and r.txt pins 7"
    assert [site.place() for site in evidence.sites] == ["r.txt:1"]


def audited(folder: Path, kept: str, grants: Grants | None = None, **table: object) -> Measurement:
    """Return what is measured with that kept output of pip-audit, over the requirements that it was asked about."""
    document = json.loads((KEPT / "pip-audit" / f"{kept}.json").read_text(encoding="utf-8"))
    (folder / "audit.json").write_text(json.dumps(document), encoding="utf-8")
    (folder / "pyproject.toml").write_text(PROJECT.format('"jinja2"'), encoding="utf-8")
    rows = "".join(f"{row['name']}=={row.get('version', '2.10')}\n" for row in document["dependencies"])
    (folder / "r.txt").write_text(rows, encoding="utf-8")
    asked: dict[str, object] = {"requirements": ["r.txt"], "pip_audit": True, "input": "audit.json", **table}
    return measured(WorkTree(folder), grants, **asked)


def granting(*ids: str) -> Grants:
    approvals = [
        Approval(("vulnerable", "jinja2", each), 1, "exception", "web", "r", None, None, None, False, Site("d.toml", 1))
        for each in ids
    ]
    return Grants(approvals=tuple(approvals))


def advisories(measurement: Measurement) -> Sequence[str]:
    return sorted(what for _kind, _package, what in measurement.counts)


def test_an_upgrade_that_does_not_cure_leaves_the_same_fact(tmp_path: Path) -> None:
    assert advisories(audited(tmp_path, "found")) == ["CVE-2019-10906", "CVE-2020-28493"]
    assert advisories(audited(tmp_path, "up")) == ["CVE-2020-28493"]
    assert advisories(audited(tmp_path, "clean")) == []


def test_an_advisory_goes_by_the_name_under_which_it_is_granted(tmp_path: Path) -> None:
    assert advisories(audited(tmp_path, "up", granting("PYSEC-2021-66"))) == ["PYSEC-2021-66"]
    assert advisories(audited(tmp_path, "up", granting("PYSEC-2019-217"))) == ["CVE-2020-28493"]


def test_a_vulnerability_is_shown_at_its_pin_with_its_cure(tmp_path: Path) -> None:
    evidence = audited(tmp_path, "up").describe(("vulnerable", "jinja2", "CVE-2020-28493"))
    assert [site.place() for site in evidence.sites] == ["r.txt:1"]
    assert "fixed in 2.11.3" in evidence.what


def test_what_was_skipped_is_not_judged(tmp_path: Path) -> None:
    with pytest.raises(NotJudged, match=r"did not look at jinja2 \(Dependency not found on PyPI"):
        audited(tmp_path, "skipped")
    assert audited(tmp_path, "skipped", unpublished=["jinja2", "markupsafe"]).counts == {}


def test_a_package_that_the_audit_does_not_name_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("idna==3\n")
    with pytest.raises(NotJudged, match="says nothing of idna"):
        audited(tmp_path, "clean", requirements=["r.txt", "more.txt"])


def test_the_environment_is_audited_where_no_file_pins(tmp_path: Path) -> None:
    assert audited(tmp_path, "clean", requirements=[]).looked_at == 2


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "is told to look at nothing"),
        ({"requirements": ["empty.txt"]}, "requires nothing at all"),
        ({"requirements": ["nowhere.txt"]}, "nowhere.txt"),
        ({"uv_lock": True}, "other tools run in a work tree"),
        ({"pip_audit": True}, "other tools run in a work tree"),
    ],
)
def test_what_cannot_be_looked_at_is_not_judged(table: dict[str, object], message: str) -> None:
    tree = MemoryTree({"pyproject.toml": PROJECT.format('"click"'), "empty.txt": "# nothing\n"})
    with pytest.raises(NotJudged) as refusal:
        measured(tree, **table)
    assert message in refusal.value.faults[0].line_text()


def test_without_a_project_file_nothing_is_declared() -> None:
    with pytest.raises(NotJudged) as refusal:
        measured(MemoryTree({"r.txt": "click==8\n"}), requirements=["r.txt"])
    assert "pyproject.toml: is not there, so that nothing is declared." in refusal.value.faults[0].line_text()


def uv_saying(folder: Path, said: str, status: int) -> None:
    """Put a uv into the project's own environment that says this."""
    program = folder / ".venv" / "bin" / "uv"
    program.parent.mkdir(parents=True)
    (program.parent / "python").touch()
    program.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit {status}\n", encoding="utf-8")
    program.chmod(0o755)


OUTDATED = (
    "Resolved 2 packages in 1ms\nerror: The lockfile at `uv.lock` needs to be updated, but `--check` was provided."
)


@pytest.mark.parametrize(
    ("said", "status", "troubles"),
    [("Resolved 2 packages in 1ms", 0, []), (OUTDATED, 1, [("outdated", "<all>", "uv.lock")])],
)
def test_the_project_s_own_uv_says_whether_its_lock_is_current(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, status: int, troubles: list[Key]
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    (tmp_path / "pyproject.toml").write_text(PROJECT.format('"click"'), encoding="utf-8")
    uv_saying(tmp_path, said, status)
    assert list(measured(WorkTree(tmp_path), uv_lock=True).counts) == troubles


@pytest.mark.parametrize("name", ["UV_PROJECT", "UV_WORKING_DIR", "UV_WORKING_DIRECTORY"])
def test_no_other_project_is_asked_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """uv takes the project that the environment names in place of the folder in which it is run."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    (tmp_path / "pyproject.toml").write_text(PROJECT.format('"click"'), encoding="utf-8")
    uv_saying(tmp_path, "Resolved 2 packages in 1ms", 0)
    program = tmp_path / ".venv" / "bin" / "uv"
    led = f'[ -z "${name}" ] || exit 7\nexit 0'
    program.write_text(program.read_text(encoding="utf-8").replace("exit 0", led), encoding="utf-8")
    assert not measured(WorkTree(tmp_path), uv_lock=True).counts

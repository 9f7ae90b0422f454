"""Does the project keep the promises it makes about itself: pages, fixtures, lock, version, package?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

import abutment
from abutment.gates import TABLE, load_gate, own_gates

PROJECT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
FIXTURES = PROJECT / "fixtures"
GATE_NAMES = sorted(TABLE)


def lock_lines() -> list[str]:
    """Return the requirements of the lock, without their hashes."""
    text = (PROJECT / "requirements-dev.lock").read_text(encoding="utf-8")
    return [line.rstrip("\\ ") for line in text.splitlines() if line[:1].isalnum()]


def locked() -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in lock_lines():
        requirement = Requirement(line)
        found.setdefault(requirement.name, []).append(requirement)
    return found


def declared() -> list[str]:
    build = PYPROJECT["build-system"]["requires"]
    return [*PYPROJECT["project"]["dependencies"], *PYPROJECT["dependency-groups"]["dev"], *build]


@pytest.mark.parametrize("text", declared())
def test_the_lock_satisfies_what_the_project_asks_for(text: str) -> None:
    wanted = Requirement(text)
    pins = locked()[wanted.name]
    for pin in pins:
        (version,) = {specifier.version for specifier in pin.specifier}
        assert wanted.specifier.contains(version), f"{pin} does not satisfy {wanted}; run `make lock`"


@pytest.mark.parametrize("minor", [11, 12, 13])
def test_the_lock_gives_each_python_exactly_one_version(minor: int) -> None:
    for name, pins in locked().items():
        applying = [pin for pin in pins if applies(pin.marker, minor)]
        assert len(applying) <= 1, name
        assert len(pins) == 1 or applying, name


def applies(marker: Marker | None, minor: int) -> bool:
    python = {"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.5"}
    return marker is None or marker.evaluate(python)


def test_the_lock_pins_with_hashes_and_names_no_host() -> None:
    text = (PROJECT / "requirements-dev.lock").read_text(encoding="utf-8")
    assert "://" not in text
    blocks = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert all("==" in block and "--hash=sha256:" in block for block in blocks)


def test_each_dependency_has_its_reason_written_down() -> None:
    page = (PROJECT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    missing = [text for text in declared() if f"`{Requirement(text).name}`" not in page]
    assert not missing


def test_runtime_dependencies_stay_few() -> None:
    names = [Requirement(text).name for text in PYPROJECT["project"]["dependencies"]]
    assert names == ["click", "networkx", "packaging", "pathspec", "pyyaml", "rich", "tomlkit"]


@pytest.mark.parametrize("gate", GATE_NAMES)
def test_a_gate_has_its_page(gate: str) -> None:
    page = (PROJECT / "docs" / "gates" / f"{gate}.md").read_text(encoding="utf-8")
    missing = [rule.id for rule in load_gate(gate).rules if rule.id not in page]
    assert not missing, f"docs/gates/{gate}.md does not explain {missing}"


@pytest.mark.parametrize("gate", GATE_NAMES)
@pytest.mark.parametrize("case", ["kept", "broken", "stale", "malformed"])
def test_a_gate_shows_its_teeth(gate: str, case: str) -> None:
    folder = FIXTURES / gate / case
    if (gate, case) == ("changed", "stale"):
        pytest.skip("it grants nothing, so that there is nothing it could no longer need")
    assert (folder / "expected.txt").is_file(), f"{folder} has no expected.txt"
    assert list(folder.rglob("*.py")), f"{folder} has no code to judge"


@pytest.mark.parametrize("gate", GATE_NAMES)
def test_a_gate_has_tests_of_its_own(gate: str) -> None:
    assert (PROJECT / "tests" / "gates" / f"test_{gate}.py").is_file()


def test_a_rule_id_means_one_thing() -> None:
    ids = [rule.id for gate in own_gates() for rule in gate.rules]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"ABT\d{3}", rule_id) for rule_id in ids)


def test_the_changelog_knows_this_version() -> None:
    text = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## .*$", text, re.MULTILINE)
    assert headings
    assert abutment.__version__ in headings[0] or "Unreleased" in headings[0]


def test_the_version_is_said_once() -> None:
    assert PYPROJECT["project"]["dynamic"] == ["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", abutment.__version__)
    assert metadata.version("abutment") == abutment.__version__, "the installed copy is another; run `make setup`"


def run_module(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "abutment", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_python_dash_m_says_the_version() -> None:
    done = run_module("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert abutment.__version__ in done.stdout


def loaded_by(code: str) -> set[str]:
    # Coverage, where it follows child processes, loads modules of its own.
    bare = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_")}
    whole = f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True, env=bare)
    return set(done.stderr.split())


def test_the_version_loads_nothing_heavy() -> None:
    loaded = loaded_by(
        "import runpy\nsys.argv = ['abutment', '--version']\n"
        "try: runpy.run_module('abutment', run_name='__main__')\n"
        "except SystemExit: pass"
    )
    assert not loaded & {"networkx", "libcst", "rich", "mypy", "tomlkit", "pathspec", "difflib", "multiprocessing"}
    assert not loaded & {"yaml", "abutment.guard.verdict"}
    assert "abutment.cli.main" in loaded


def test_a_check_waits_for_nothing_that_only_a_slip_or_a_writing_verb_needs() -> None:
    loaded = loaded_by("import abutment.cli.check")
    assert not loaded & {"networkx", "libcst", "rich", "mypy", "tomlkit", "difflib"}
    assert "abutment.policies.suppressions" in loaded


def test_types_are_shipped() -> None:
    assert (PROJECT / "src" / "abutment" / "py.typed").is_file()


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=True, text=True).stdout
    return [PROJECT / name for name in listed.split("\0") if name and (PROJECT / name).is_file()]


def test_case_inputs_keep_their_bytes() -> None:
    names = [str(path.relative_to(PROJECT)) for path in (FIXTURES / "cases").rglob("*") if path.is_file()]
    command = ["git", "check-attr", "--stdin", "text"]
    said = subprocess.run(command, cwd=PROJECT, input="\n".join(names), capture_output=True, check=True, text=True)
    assert said.stdout.splitlines()
    assert all(line.endswith("text: unset") for line in said.stdout.splitlines())


def test_no_generated_table_is_tracked() -> None:
    assert not [path for path in tracked() if path.stat().st_size > 1_000_000]


@pytest.mark.parametrize("page", sorted(PROJECT.glob("*.md")) + sorted((PROJECT / "docs").rglob("*.md")), ids=str)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    lost = [t for t in targets if "://" not in t and not t.startswith("mailto:") and not (page.parent / t).exists()]
    assert not lost

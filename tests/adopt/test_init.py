"""What `init` writes, what it refuses, and that it can be taken up again."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Collection, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from abutment.adopt.configuration import Carried, Place
from abutment.adopt.init import Asked, InitOutcome, Judging, initialise
from abutment.config import Config, read_config
from abutment.errors import NotJudged, Refused, UnknownName
from abutment.gates import TABLE
from abutment.gates.gate import Gate
from abutment.model.grants import Grants
from abutment.model.measurement import Measurement
from abutment.run import Project, measure, read_all_settings, run
from abutment.semantics.program import Program
from abutment.sources.settings import load_settings
from abutment.sources.tree import Tree
from abutment.sources.universe import Universe
from abutment.sources.work_tree import WorkTree
from abutment.verdicts.verdict import Run, Status

DOCUMENTS = "fixtures/architecture"
SHOP: Mapping[str, str] = {
    "shop/__init__.py": "",
    "shop/cli.py": "import shop.api\nimport shop.core",
    "shop/api.py": "import shop.core\nimport shop.db",
    "shop/core.py": "import shop.db\ndef late():\n    import shop.db",
    "shop/db.py": "import os",
    "shop/report.py": "import shop.api\nimport importlib\ndef load(name):\n    return importlib.import_module(name)",
}
RING = {"shop/a.py": "import shop.b", "shop/b.py": "import shop.a"}


def lay_out(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def measured(
    config: Config, universe: Universe, program: Program, gate: Gate, settings: Any, grants: Grants
) -> Measurement:
    return measure(Project(config, WorkTree(Path(config.root)), universe, program), gate, settings, grants)


def init(root: Path, *gates: str, **asked: Any) -> InitOutcome:
    return initialise(Asked(gates=gates, **asked), Place(root, WorkTree(root)), Judging(read_all_settings, measured))


def check(root: Path) -> Run:
    return run(read_config(load_settings(root)), WorkTree(root), date(2026, 1, 1))


def settings_of(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "abutment.toml").read_text(encoding="utf-8"))


def documents(root: Path) -> list[str]:
    folder = root / DOCUMENTS
    return sorted(path.name for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


def everything(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def messages(refusal: pytest.ExceptionInfo[NotJudged]) -> list[str]:
    return [fault.message for fault in refusal.value.faults]


def test_after_init_the_check_is_held(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, **RING, "tests/test_shop.py": "import shop.cli"})
    outcome = init(tmp_path)
    assert outcome.exit_status == 0
    assert documents(tmp_path) == ["blindspots.jsonl", "boundaries.jsonl", "cycles.jsonl"]
    assert outcome.written[0] == "abutment.toml"
    assert {*outcome.written} <= {*everything(tmp_path)}
    judged = check(tmp_path)
    assert judged.status is Status.HELD
    assert {verdict.gate: verdict.facts for verdict in judged.verdicts} == {
        "blindspots": 1,
        "cycles": 2,
        "boundaries": 0,
    }


def test_the_configuration_holds_what_was_decided_and_why(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "tests/test_shop.py": "import shop.cli"})
    init(tmp_path)
    assert settings_of(tmp_path) == {
        "roots": ["shop", {"path": "tests", "role": "tests", "package": "tests"}],
        "gates": ["blindspots", "cycles", "boundaries"],
        "contracts": [
            {
                "id": "layers-shop",
                "kind": "layers",
                "layers": ["shop.cli : shop.report", "shop.api", "shop.core", "shop.db"],
            }
        ],
    }
    text = (tmp_path / "abutment.toml").read_text(encoding="utf-8")
    assert "# shop: a package\n" in text
    assert "# layers-shop: 5 of 5 direct children of shop in 4 layers, by 6 imports between them" in text


def test_a_stranger_reads_what_was_found_decided_written_and_what_is_next(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "broken_link/README": "", "docs/conf.py": ""})
    lines = init(tmp_path).lines
    idle = ", ".join(name for name in TABLE if name not in ("blindspots", "cycles", "boundaries"))
    assert lines == (
        "Found:",
        "  shop: a package",
        f"  6 files to read, with the grammar of CPython {sys.version_info.major}.{sys.version_info.minor}.",
        "  Left out (files, and folders as a whole): 1 outside the roots.",
        "",
        "Decided:",
        "  gates: blindspots, cycles, boundaries.",
        f"  Not switched on: {idle} (`abutment list` says what each asks).",
        "  cycles: hold = edges. No modules import one another in a circle while being imported.",
        "  boundaries: layers-shop: 5 of 5 direct children of shop in 4 layers, by 6 imports between them: 6 go down, "
        "0 up, 0 stay in a layer, 0 come from or go to a child in no layer.",
        "      shop.cli : shop.report",
        "      shop.api",
        "      shop.core",
        "      shop.db",
        "",
        "Recorded:",
        "  blindspots: 1 fact recorded in 1 entry.",
        "  cycles: 0 facts recorded in 0 entries.",
        "  boundaries: 0 facts recorded in 0 entries.",
        "",
        "Written:",
        "  abutment.toml",
        "  fixtures/architecture/blindspots.jsonl",
        "  fixtures/architecture/boundaries.jsonl",
        "  fixtures/architecture/cycles.jsonl",
        f"  {receipts(tmp_path)[0]}",
        "",
        "Next:",
        "  1. Read abutment.toml; `abutment config --files` shows what became of every file.",
        "  2. Does something not fit? Change it now. As long as fixtures/architecture was never committed: delete that "
        "folder and run `abutment init` once more.",
        "  3. Commit abutment.toml and fixtures/architecture.",
        "  4. Run `abutment check` in CI and before each commit. What is recorded may only fall.",
        "",
    )


def receipts(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in (root / DOCUMENTS / "receipts").iterdir())


def test_a_pyproject_takes_the_table_and_keeps_its_comments(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "pyproject.toml": "[project] # mine\nname = 'shop'\n"})
    assert init(tmp_path).written[0] == "pyproject.toml"
    text = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
    assert text.startswith("[project] # mine\nname = 'shop'\n\n[tool.abutment]\n")
    assert check(tmp_path).status is Status.HELD


@pytest.mark.parametrize("configured", [False, True])
def test_a_dry_run_writes_nothing_and_shows_everything(tmp_path: Path, configured: bool) -> None:
    lay_out(tmp_path, SHOP)
    if configured:
        lay_out(tmp_path, {"abutment.toml": 'roots = ["shop"]\ngates = ["cycles"]\n'})
    before = everything(tmp_path)
    lines = init(tmp_path, dry_run=True).lines
    assert everything(tmp_path) == before
    assert lines[-1] == "Nothing was written (--dry-run)."
    assert "  fixtures/architecture/cycles.jsonl" in lines
    assert ('  gates = ["blindspots", "cycles", "boundaries"]' in lines) is not configured


def test_a_second_init_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    init(tmp_path)
    before = everything(tmp_path)
    with pytest.raises(Refused) as refusal:
        init(tmp_path)
    assert messages(refusal) == [
        "is configured, and every gate that keeps a baseline has one (blindspots, cycles, boundaries); "
        "init never overwrites."
    ]
    assert everything(tmp_path) == before


def test_a_baseline_without_a_configuration_is_not_overwritten(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    init(tmp_path)
    (tmp_path / "abutment.toml").unlink()
    before = everything(tmp_path)
    with pytest.raises(Refused) as refusal:
        init(tmp_path)
    assert sorted(fault.path for fault in refusal.value.faults) == [
        f"{DOCUMENTS}/{gate}.jsonl" for gate in ("blindspots", "boundaries", "cycles")
    ]
    assert everything(tmp_path) == before


def test_what_was_interrupted_after_the_configuration_is_taken_up(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "abutment.toml": 'roots = ["shop"]\ngates = ["blindspots", "cycles"]\n'})
    outcome = init(tmp_path)
    assert documents(tmp_path) == ["blindspots.jsonl", "cycles.jsonl"]
    assert "abutment.toml" not in outcome.written
    assert check(tmp_path).status is Status.HELD


def test_a_file_that_cannot_be_read_costs_only_the_gates_that_should_see_it(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "tests/test_shop.py": "def broken(:\n"})
    outcome = init(tmp_path)
    assert outcome.exit_status == 2
    assert [fault.path for fault in outcome.faults] == ["tests/test_shop.py"]
    assert documents(tmp_path) == ["boundaries.jsonl"]
    assert "  blindspots: not recorded, as it could not be fully judged." in outcome.lines
    first_step = "  1. Mend or exclude what is not judged, then run `abutment init` again for: blindspots, cycles."
    assert first_step in outcome.lines

    lay_out(tmp_path, {"tests/test_shop.py": "import shop.cli\n"})
    assert init(tmp_path).exit_status == 0
    assert check(tmp_path).status is Status.HELD


def test_where_nothing_can_be_judged_the_configuration_is_written_alone(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "shop/bad.py": "def broken(:\n"})
    outcome = init(tmp_path)
    assert (outcome.exit_status, outcome.written) == (2, ("abutment.toml",))
    assert documents(tmp_path) == []


def test_a_gate_that_is_named_gets_its_baseline_and_is_not_switched_on_behind_your_back(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    init(tmp_path)
    before = (tmp_path / "abutment.toml").read_bytes()
    outcome = init(tmp_path, "snapshot")
    assert "snapshot.jsonl" in documents(tmp_path)
    assert "  snapshot: not switched on." in outcome.lines
    first_step = '  1. Add "snapshot" to `gates` in abutment.toml: until then `abutment check` does not ask it.'
    assert first_step in outcome.lines
    assert (tmp_path / "abutment.toml").read_bytes() == before


def test_gates_named_the_first_time_are_those_that_are_switched_on(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    init(tmp_path, "cycles", "snapshot")
    assert settings_of(tmp_path)["gates"] == ["cycles", "snapshot"]
    assert check(tmp_path).status is Status.HELD


def test_a_gate_that_has_a_baseline_is_refused_by_name(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    init(tmp_path)
    with pytest.raises(Refused) as refusal:
        init(tmp_path, "cycles")
    assert [fault.path for fault in refusal.value.faults] == [f"{DOCUMENTS}/cycles.jsonl"]


def test_a_new_contract_is_recorded_again_with_a_reason(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    init(tmp_path)
    new = '\n[[contracts]]\nid = "no-os"\nkind = "forbidden"\nsources = ["shop"]\nforbidden = ["os"]\n'
    with (tmp_path / "abutment.toml").open("a", encoding="utf-8") as file:
        file.write(new)
    assert check(tmp_path).status is Status.BROKEN
    outcome = init(tmp_path, "boundaries", again=True, reason="We ban os from today on.")
    assert "  New here: no-os." in outcome.lines
    assert check(tmp_path).status is Status.HELD
    with pytest.raises(Refused):
        init(tmp_path, "boundaries", again=True, reason="Once more.")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"again": True}, "--again needs the name of a gate."),
        ({"roots": ("shop",)}, "is configured already; --root is for the first time."),
        ({"carry": lambda _tree, _modules: Carried((), ())}, "is configured already; --from is for the first time."),
    ],
)
def test_options_of_the_first_time_are_refused_later(tmp_path: Path, asked: dict[str, Any], says: str) -> None:
    lay_out(tmp_path, {**SHOP, "abutment.toml": 'roots = ["shop"]\ngates = ["cycles"]\n'})
    with pytest.raises(NotJudged) as refusal:
        init(tmp_path, **asked)
    assert messages(refusal) == [says]
    assert documents(tmp_path) == []


def test_a_project_with_a_name_that_is_taken_is_named_as_not_checked(tmp_path: Path) -> None:
    lay_out(tmp_path, {f"services/{name}/app/__init__.py": "" for name in "ab"})
    said = "services/b is NOT checked by this configuration: run `abutment init --config services/b`, and"
    assert any(said in line for line in init(tmp_path, dry_run=True).lines)
    assert any(line.startswith(f"  1. {said}") for line in init(tmp_path).lines)


def test_a_contract_under_another_id_takes_only_what_was_granted_along(tmp_path: Path) -> None:
    law = """roots = ["shop"]\ngates = ["boundaries"]\n\n[[contracts]]\nid = "up"\nkind = "layers"
layers = ["shop.api", "shop.db"]\n"""
    lay_out(tmp_path, {**SHOP, "abutment.toml": law, "shop/db.py": "import shop.api", "shop/db2.py": ""})
    init(tmp_path)
    law = law.replace('"shop.api"', '"shop.api : shop.cli"')
    lay_out(tmp_path, {"shop/db.py": "import shop.api\nimport shop.cli", "abutment.toml": law.replace('"up"', '"up2"')})
    outcome = init(tmp_path, "boundaries", again=True, reason="A better name.")
    assert "  boundaries: 1 fact recorded in 1 entry." in outcome.lines
    assert any("up2 has facts of up, which is written no more" in line for line in outcome.lines)
    (verdict,) = check(tmp_path).verdicts
    assert sorted((v.kind.value, dict(v.identity)["contract"]) for v in verdict.violations) == [
        ("gone", "up"),
        ("new", "up2"),
    ]


def test_a_contract_that_is_written_no_more_is_named_where_nothing_tells_what_became_of_it(tmp_path: Path) -> None:
    law = """roots = ["shop"]\ngates = ["boundaries"]\n\n[[contracts]]\nid = "up"\nkind = "layers"
layers = ["shop.api", "shop.db"]\n"""
    lay_out(tmp_path, {**SHOP, "abutment.toml": law})
    init(tmp_path)
    lay_out(tmp_path, {"shop/db.py": "import shop.api", "abutment.toml": law.replace('"up"', '"up2"')})
    lines = init(tmp_path, "boundaries", again=True, reason="A better name.").lines
    assert any("Recorded before and written no more: up." in line for line in lines)


def test_before_the_first_commit_the_record_may_be_made_anew(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    init(tmp_path)
    with pytest.raises(Refused, match="delete that folder and run `abutment init` once more") as refusal:
        init(tmp_path, "boundaries", again=True, reason="The layers were wrong.")
    assert "fixtures/architecture was never committed" in refusal.value.faults[0].remedy
    lay_out(tmp_path, {"shop/db.py": "import shop.api"})
    shutil.rmtree(tmp_path / DOCUMENTS)
    init(tmp_path)
    assert check(tmp_path).status is Status.HELD


def test_again_needs_a_first_time(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    with pytest.raises(Refused) as refusal:
        init(tmp_path, "cycles", again=True, reason="x")
    assert messages(refusal) == ["there is no configuration yet, so nothing was recorded before."]


@pytest.mark.parametrize("configured", [False, True])
def test_an_unknown_gate_is_told_and_nothing_written(tmp_path: Path, configured: bool) -> None:
    lay_out(tmp_path, {**SHOP, **({"abutment.toml": 'roots = ["shop"]\n'} if configured else {})})
    with pytest.raises(UnknownName):
        init(tmp_path, "cycels")
    assert documents(tmp_path) == []


def test_a_fault_in_the_configuration_is_told_before_the_code_is_read(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "abutment.toml": 'roots = ["shop"]\ngates = ["cycles"]\nrotos = 1\n'})
    with pytest.raises(NotJudged) as refusal:
        init(tmp_path)
    assert [(fault.path, fault.line) for fault in refusal.value.faults] == [("abutment.toml", 3)]


def test_two_configurations_are_not_judged(tmp_path: Path) -> None:
    lay_out(
        tmp_path, {**SHOP, "abutment.toml": 'roots = ["shop"]\n', "pyproject.toml": "[tool.abutment]\ngates = []\n"}
    )
    with pytest.raises(NotJudged) as refusal:
        init(tmp_path)
    assert messages(refusal) == ["pyproject.toml beside it has [tool.abutment] as well."]


def test_an_empty_table_counts_as_no_configuration(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "pyproject.toml": "[tool.abutment]\n"})
    assert init(tmp_path).written[0] == "pyproject.toml"


def test_a_large_cycle_is_held_by_its_members(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, **RING})
    init(tmp_path)
    assert settings_of(tmp_path)["cycles"] == {"hold": "members"}
    assert "while being imported has 2 of 8, above a tenth" in (tmp_path / "abutment.toml").read_text(encoding="utf-8")


def test_contracts_of_another_tool_take_the_place_of_proposals(tmp_path: Path) -> None:
    lay_out(tmp_path, SHOP)
    contract = {"id": "api-not-db", "kind": "forbidden", "sources": ["shop.api"], "forbidden": ["shop.db"]}

    def carry(tree: Tree, modules: Collection[str]) -> Carried:
        assert tree.exists("shop/api.py")
        assert "shop.api" in modules
        return Carried((contract,), ("1 contract carried over.",))

    outcome = init(tmp_path, carry=carry)
    assert settings_of(tmp_path)["contracts"] == [contract]
    assert "  1 contract carried over." in outcome.lines
    assert [verdict.facts for verdict in check(tmp_path).verdicts if verdict.gate == "boundaries"] == [1]


def test_without_contracts_boundaries_is_not_switched_on(tmp_path: Path) -> None:
    lay_out(tmp_path, {"tool.py": "import os\n"})
    init(tmp_path)
    assert settings_of(tmp_path) == {"roots": ["tool.py"], "gates": ["blindspots", "cycles"]}
    assert check(tmp_path).status is Status.HELD


def test_what_the_code_imports_from_beside_the_roots_becomes_a_root(tmp_path: Path) -> None:
    files = {
        "app/__init__.py": "",
        "app/a.py": "import config",
        "config.py": "import paths",
        "paths.py": "",
        "setup.py": "",
    }
    lay_out(tmp_path, files)
    outcome = init(tmp_path)
    assert settings_of(tmp_path)["roots"] == ["app", "config.py", "paths.py"]
    assert "  paths.py: a single module, imported by config" in outcome.lines


def test_what_git_ignores_beside_the_roots_is_not_taken(tmp_path: Path) -> None:
    lay_out(tmp_path, {"app/__init__.py": "import local_settings", "local_settings.py": "", ".gitignore": "local_*\n"})
    init(tmp_path)
    assert settings_of(tmp_path)["roots"] == ["app"]


def test_the_folder_itself_as_a_package(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    lay_out(tmp_path, SHOP)
    init(root)
    assert settings_of(root)["roots"] == [{"path": ".", "package": "shop"}]
    assert check(root).status is Status.HELD


def test_given_roots_are_taken_as_they_are(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "other/__init__.py": "import beside", "beside.py": ""})
    init(tmp_path, roots=("other",))
    assert settings_of(tmp_path)["roots"] == ["other"]


def test_a_root_of_which_nothing_is_read_is_dropped_and_named(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, "shop/tests/test_a.py": "", "shop/tests/.gitignore": "*.py\n"})
    outcome = init(tmp_path, roots=("shop", "shop/tests"))
    assert settings_of(tmp_path)["roots"] == ["shop"]
    assert "  shop/tests: every file in it is ignored or left out" in outcome.lines


def test_where_all_is_ignored_nothing_can_be_judged(tmp_path: Path) -> None:
    lay_out(tmp_path, {**SHOP, ".gitignore": "*.py\n"})
    for roots in ((), ("shop",)):
        with pytest.raises(NotJudged):
            init(tmp_path, roots=roots)
    assert everything(tmp_path).keys() == {*SHOP, ".gitignore"}

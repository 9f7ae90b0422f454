"""One run, from a configuration and a tree to verdicts, and what of it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from abutment.baselines.plan import joined
from abutment.baselines.reading import read_documents
from abutment.baselines.receipts import render_receipt
from abutment.baselines.record import plan_init
from abutment.cli.main import status_of
from abutment.config import Config, read_config
from abutment.errors import NotJudged, UnknownName
from abutment.gates import TABLE, load_gates
from abutment.gates.gate import Gate, Rule
from abutment.model.fault import Fault
from abutment.model.measurement import Evidence, Measurement
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.model.violation import Kind, Violation
from abutment.run import measure, narrow, open_project, read_all_settings, run
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.settings import settings_from
from abutment.verdicts.law import law_before_init
from abutment.verdicts.verdict import FileAccount, Run, Status, Verdict

# Of our own gates, those that the project has not switched on.
IDLE = tuple(name for name in TABLE if name not in ("blindspots", "cycles", "boundaries"))

TODAY = date(2027, 1, 1)
SETTINGS = 'roots = ["app", { path = "tests", role = "tests" }]\ngates = ["blindspots", "cycles", "boundaries"]\n'
CONTRACT = '[[contracts]]\nid = "up"\nkind = "forbidden"\nsources = ["app.low"]\nforbidden = ["app.high"]\n'
CODE = {
    "app/__init__.py": "",
    "app/low.py": "",
    "app/high.py": "import app.low\n",
    "tests/__init__.py": "",
    "tests/test_low.py": "import app.low\n",
}


def opened(files: Mapping[str, str], settings: str) -> tuple[Config, MemoryTree]:
    tree = MemoryTree({**files, "abutment.toml": settings})
    return read_config(settings_from("abutment.toml", settings.encode(), "/nowhere"), tree), tree


def judged(files: Mapping[str, str], settings: str = SETTINGS + CONTRACT, **options: Any) -> Run:
    config, tree = opened(files, settings)
    return run(config, tree, TODAY, **options)


def recorded(files: Mapping[str, str], settings: str = SETTINGS + CONTRACT) -> dict[str, str]:
    """Return the files and the documents that `init` would write beside them."""
    config, tree = opened(files, settings)
    project, gates = open_project(config, tree), load_gates(config.gates)
    found, documents = read_all_settings(config, gates), read_documents(tree, config.documents)
    laws = {gate.name: law_before_init(documents, gate.terms(config.documents)) for gate in gates}
    plan = joined(
        plan_init(laws[gate.name], measure(project, gate, found[gate.name], laws[gate.name].grants)) for gate in gates
    )
    receipt = plan.receipt({"abutment": "0"})
    written = {change.path: change.after.decode() for change in plan.changes}
    return {
        **files,
        **written,
        f"{config.documents}/receipts/{receipt.file_name}": render_receipt(receipt).decode(),
    }


def statuses(found: Run) -> dict[str, Status]:
    return {verdict.gate: verdict.status for verdict in found.verdicts}


def test_a_codebase_that_is_what_was_recorded_is_held() -> None:
    found = judged(recorded(CODE))
    assert found.status is Status.HELD
    assert found.idle_gates == IDLE
    assert (found.files.scanned, found.files.roots) == (5, ("app", "tests"))


def test_many_runs_in_one_process_know_nothing_of_each_other() -> None:
    files = recorded(CODE)
    broken = {**files, "app/low.py": "import app.high\n"}
    answers = [judged(each).status for each in (files, broken, files, broken)]
    assert answers == [Status.HELD, Status.BROKEN] * 2


def test_gates_that_are_named_are_judged_instead() -> None:
    found = judged(recorded(CODE), gates=["cycles"])
    assert statuses(found) == {"cycles": Status.HELD}
    assert (found.idle_gates, found.unasked_gates) == (IDLE, ("blindspots", "boundaries"))


def test_nothing_asked_is_nothing_judged() -> None:
    found = judged(CODE, 'roots = ["app"]\n')
    assert found.status is Status.NOT_JUDGED
    assert "no gate is switched on" in found.faults[0].message
    assert judged(recorded(CODE), gates=[]).status is Status.NOT_JUDGED


def test_a_file_that_cannot_be_read_concerns_the_gates_that_should_have_seen_it() -> None:
    files = recorded(CODE)
    in_tests = judged({**files, "tests/test_low.py": "def broken(:\n"})
    assert statuses(in_tests) == {
        "blindspots": Status.NOT_JUDGED,
        "cycles": Status.NOT_JUDGED,
        "boundaries": Status.HELD,  # what tests import is none of its business
    }
    everywhere = judged({**files, "app/low.py": "def broken(:\n"})
    assert set(statuses(everywhere).values()) == {Status.NOT_JUDGED}
    assert [fault.path for fault in everywhere.files.not_judged] == ["app/low.py"]
    assert everywhere.files.scanned == 4


def test_a_file_that_a_gate_leaves_out_is_no_concern_of_that_gate() -> None:
    settings = SETTINGS + '[cycles]\nexclude = ["app.odd"]\n' + CONTRACT
    files = {**recorded({**CODE, "app/odd.py": ""}, settings), "app/odd.py": "def broken(:\n"}
    assert statuses(judged(files, settings)) == {
        "blindspots": Status.NOT_JUDGED,
        "cycles": Status.HELD,
        "boundaries": Status.NOT_JUDGED,
    }


def test_what_was_found_beside_an_unreadable_file_is_told_and_what_was_not_found_is_not() -> None:
    files = recorded({**CODE, "app/low.py": "import app.high\n"})
    files = {**files, "app/low.py": "import app.missing\n", "app/odd.py": "def broken(:\n"}
    found = judged(files)
    assert found.status is Status.NOT_JUDGED
    assert [v.kind for v in found.violations] == [Kind.NEW]


def test_a_typing_error_is_told_though_its_gate_is_off() -> None:
    with pytest.raises(NotJudged, match=r"snapshot\.parent: unknown key"):
        judged(CODE, SETTINGS + "[snapshot]\nparent = true\n" + CONTRACT)


def test_documents_of_one_gate_that_are_faulty_leave_the_others_judged() -> None:
    files = {**recorded(CODE), "fixtures/architecture/cycles.toml": "schema = 9\n"}
    assert statuses(judged(files)) == {
        "blindspots": Status.HELD,
        "cycles": Status.NOT_JUDGED,
        "boundaries": Status.HELD,
    }


def test_owners_stand_beside_what_is_theirs() -> None:
    files = {**recorded(CODE), "CODEOWNERS": "/app/ @core\n/app/high.py @web\n", "app/low.py": "import app.high\n"}
    owners = {v.sites[0].path: v.owners for v in judged(files, gates=["boundaries", "cycles"]).violations}
    assert owners == {"app/low.py": ("@core",), "app/high.py": ("@web",)}


def test_stale_can_be_tolerated_and_excess_cannot() -> None:
    files = recorded({**CODE, "app/low.py": "import app.high\n"})
    paid = {**files, "app/low.py": ""}
    assert judged(paid).status is Status.BROKEN
    tolerated = judged(paid, stale="warn")
    assert tolerated.status is Status.HELD
    assert {v.kind for verdict in tolerated.verdicts for v in verdict.tolerated} == {Kind.GONE}
    assert judged({**paid, "app/low.py": "import app.gone\n"}, stale="warn").status is Status.BROKEN


# Narrowing


def violation(*sites: Site, kind: Kind = Kind.NEW, through: tuple[Site, ...] = ()) -> Violation:
    return Violation(
        gate="g",
        rule="ABT000",
        kind=kind,
        identity=(("module", "app.x"),),
        found=1,
        granted=0,
        what="what",
        document="law/g.jsonl",
        remedy="",
        sites=sites,
        through=through,
    )


def shown(*violations: Violation, status: Status = Status.BROKEN) -> Run:
    verdict = Verdict("g", status, violations, tolerated=(violation(Site("a.py"), kind=Kind.GONE),), notes=("n",))
    return Run("0", "/r", (verdict,), FileAccount(1, (), (), "CPython"))


@pytest.mark.parametrize(
    ("found", "paths", "touched"),
    [
        (violation(Site("app/a.py", 3)), {"app/a.py"}, True),
        (violation(Site("app/a.py", 3)), {"app/b.py", "a.py", "app"}, False),
        (violation(Site("app/a.py", 3), Site("app/b.py", 1)), {"app/b.py"}, True),
        (violation(Site("app/a.py", 3), through=(Site("app/z.py", 1),)), {"app/z.py"}, True),
        (violation(Site("app/a.py", 3), kind=Kind.GONE), {"app/a.py"}, False),
        (violation(Site("app/old")), {"app/old/deep/x.txt"}, True),
        (violation(Site("app/old")), {"app/older/x.txt"}, False),
        (violation(Site("app/old/__init__.py")), {"app/old/x.py"}, True),
        (violation(Site("app/old/__init__.py", 4)), {"app/old/x.py"}, False),
        (violation(Site("app/x.py")), {"app/x.py/y"}, True),  # a folder of that name
        (violation(), {"app/a.py"}, False),
    ],
)
def test_what_touches_a_path_is_shown(found: Violation, paths: set[str], touched: bool) -> None:
    narrowed = narrow(shown(found), frozenset(paths), "--staged")
    assert narrowed.violations == ((found,) if touched else ())
    assert narrowed.status is (Status.BROKEN if touched else Status.HELD)
    assert narrowed.narrowed == "--staged"
    (verdict,) = narrowed.verdicts
    assert (verdict.tolerated, verdict.notes) == ((), ())


def test_not_judged_stays_whatever_is_narrowed() -> None:
    whole = shown(violation(Site("a.py", 1)), status=Status.NOT_JUDGED)
    fault = Fault("odd.py", 1, "does not parse")
    whole = replace(whole, verdicts=(replace(whole.verdicts[0], faults=(fault,)),))
    narrowed = narrow(whole, frozenset(), "--staged")
    assert narrowed.status is Status.NOT_JUDGED
    assert narrowed.verdicts[0].faults == (fault,)
    assert narrow(replace(whole, faults=(fault,)), frozenset(), "x").faults == (fault,)


# Gates of users


def _every_module(program: Any, _settings: Any, _grants: Any) -> Measurement:
    return Measurement(
        counts={(name,): 1 for name in program.modules},
        describe=lambda key: Evidence("SHOP1", f"{key[0]} is there", (Site(program.modules[key[0]].path),)),
        looked_at=len(program.modules),
        unit="modules",
    )


CENSUS = Gate(
    name="census",
    question="Who is there?",
    direction=Direction.ZERO,
    fields=("module",),
    rules=(Rule("SHOP1", "somebody", "Somebody is there."),),
    remedy="Leave.",
    read_settings=lambda reader: reader.close(),
    measure=_every_module,
)


class Installed(metadata.EntryPoint):
    """An entry point whose object is at hand."""

    def load(self) -> Any:
        if self.value == "census:BROKEN":
            raise ImportError("no module named census")
        return {"census:GATE": CENSUS, "census:OTHER": replace(CENSUS, name="other")}.get(self.value, "no gate")


def offered(monkeypatch: pytest.MonkeyPatch, *values: str) -> None:
    def entry_points(*, group: str, name: str) -> list[metadata.EntryPoint]:
        assert group == "abutment.gates"
        return [Installed(name, value, group) for value in values if name == "census"]

    monkeypatch.setattr(metadata, "entry_points", entry_points)


def test_a_users_gate_is_judged_like_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    offered(monkeypatch, "census:GATE")
    found = judged(CODE, 'roots = ["app"]\ngates = ["census"]\n[census]\n')
    assert statuses(found) == {"census": Status.BROKEN}
    assert [v.what for v in found.violations] == ["app is there", "app.high is there", "app.low is there"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ((), "there is no gate 'census'"),
        (("census:GATE", "census:GATE"), "2 installed packages offer a gate 'census'"),
        (("census:BROKEN",), "cannot be imported: ImportError: no module named census"),
        (("census:NONE",), "is no Gate of that name"),
        (("census:OTHER",), "is no Gate of that name"),
    ],
)
def test_a_users_gate_that_cannot_be_had_is_not_judged(
    monkeypatch: pytest.MonkeyPatch, values: tuple[str, ...], said: str
) -> None:
    offered(monkeypatch, *values)
    with pytest.raises(UnknownName, match=said):
        judged(CODE, 'roots = ["app"]\ngates = ["census"]\n')


def test_the_verbs_know_a_users_gate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    offered(monkeypatch, "census:GATE")
    (tmp_path / "app.py").write_text("")
    (tmp_path / "abutment.toml").write_text('roots = ["app.py"]\ngates = ["census"]\n')
    given = ["--config", str(tmp_path), "--no-cache"]
    assert status_of(["explain", "shop1", *given]) == 0
    assert "SHOP1 somebody (census): Somebody is there." in capsys.readouterr().out
    assert status_of(["list", "rules", *given]) == 0
    assert "SHOP1 somebody (census): Somebody is there." in capsys.readouterr().out
    assert status_of(["list", *given]) == 0
    assert "census (on, zero): Who is there?" in capsys.readouterr().out
    assert status_of(["check", "--format", "sarif", *given]) == 1
    assert "Somebody is there." in capsys.readouterr().out

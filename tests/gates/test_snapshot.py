from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.gates.snapshot import GATE, NOTE
from abutment.model.grants import Grants
from abutment.model.measurement import Measurement
from abutment.model.terms import Direction
from abutment.semantics.program import ModuleKind, Program
from tests.programs import program
from tests.settings import settings_of


def measured(found: Program, **table: object) -> Measurement:
    return GATE.measure(found, settings_of(GATE, table), Grants())


@pytest.mark.parametrize(
    ("arrow", "counts"),
    [("->", True), ("?->", True), ("~>", True), ("*->", True), ("%->", True), (":>", False), ("^->", False)],
)
def test_an_import_counts_unless_only_the_type_checker_does_it(arrow: str, counts: bool) -> None:
    assert (("import", "a", "b") in measured(program(f"a {arrow} b")).counts) is counts


def test_modules_and_imports_stand_one_by_one() -> None:
    found = measured(program("a -> b @1", "a ~> b @2", "c", "a -> !http"))
    assert found.counts == {
        ("module", "a", ""): 1,
        ("module", "b", ""): 1,
        ("module", "c", ""): 1,
        ("import", "a", "b"): 1,
    }
    assert (found.looked_at, found.unit, found.notes) == (3, "modules", (NOTE,))


def test_packages_on_the_way_count_where_that_is_asked_for() -> None:
    found = program("app.a -> app.lib.x @1", "app.a ^-> app.lib @1", "app.a ^-> app @1")
    assert [key[2] for key in measured(found).counts if key[0] == "import"] == ["app.lib.x"]
    assert [key[2] for key in measured(found, parents=True).counts if key[0] == "import"] == [
        "app", "app.lib", "app.lib.x",
    ]  # fmt: skip


def test_what_git_ignores_is_in_no_snapshot() -> None:
    found = measured(program("a -> made", "a -> b", kinds={"made": ModuleKind.GENERATED}))
    assert set(found.counts) == {("module", "a", ""), ("module", "b", ""), ("import", "a", "b")}
    assert found.looked_at == 2


def test_what_is_excluded_is_in_a_snapshot_only_where_it_is_imported() -> None:
    tree = program(
        "a -> plugins.x", "plugins.late", kinds={f"plugins{n}": ModuleKind.EXCLUDED for n in ("", ".x", ".late")}
    )
    assert set(measured(tree).counts) == {("module", "a", ""), ("import", "a", "plugins.x")}


def test_a_module_left_out_is_in_no_snapshot() -> None:
    found = measured(program("a -> b", "b -> a"), exclude=["b"])
    assert set(found.counts) == {("module", "a", "")}
    assert measured(program("a"), exclude=["b"]).faults[0].message == "snapshot.exclude[0]: 'b' matches no module."


def test_evidence_for_what_is_there_and_for_what_is_not() -> None:
    found = measured(program("a -> b:x @3", "a -> b:y @3", "a -> b @5"))
    there = found.describe(("import", "a", "b"))
    assert (there.rule, there.what) == ("ABT402", "a imports b")
    assert [site.place() for site in there.sites] == ["a.py:3", "a.py:5"]
    assert "abutment record snapshot" in there.remedy
    assert found.describe(("import", "a", "z")).sites == ()
    assert found.describe(("import", "z", "a")).sites == ()
    module = found.describe(("module", "a", ""))
    assert (module.rule, module.what, module.sites[0].path) == ("ABT401", "module a", "a.py")
    assert found.describe(("module", "z", "")).sites == ()


def test_it_is_off_unless_configured_and_may_be_recorded_again() -> None:
    assert GATE.needs_configuration
    assert GATE.direction is Direction.SNAPSHOT
    assert not GATE.tombstones


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(NotJudged, match="parent: unknown key"):
        settings_of(GATE, {"parent": True})

"""`move`: debt follows its module, never more than there was, and never by guessing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abutment.baselines.code_names import CodeNames
from abutment.baselines.law import Law
from abutment.baselines.move import Moving, plan_move
from abutment.baselines.receipts import How
from abutment.baselines.renaming import Renaming
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.grants import Level
from abutment.model.terms import Direction
from abutment.verdicts.verdict import Status
from tests.baselines.laws import SNAPSHOT, TERMS, TODAY, World, key, kinds, measured


def world_of(counts: dict[str, int]) -> World:
    world = World()
    world.init(counts)
    return world


@pytest.mark.parametrize(
    ("old", "new", "name", "renamed"),
    [
        ("a.b", "a.c", "a.b", "a.c"),
        ("a.b", "a.c", "a.b.x", "a.c.x"),
        ("a.b", "a.c", "a.bx", "a.bx"),
        ("a.b", "a.c", "z.a.b", "z.a.b"),
        ("a.b", "a.b.core", "a.b", "a.b.core"),
        ("a.b", "a.b.core", "a.b.core", "a.b.core"),
        ("a.b", "a.b.core", "a.b.core.x", "a.b.core.x"),
        ("a.b", "a.b.core", "a.b.x", "a.b.core.x"),
        ("a.b", "a", "a.b.x", "a.x"),
    ],
)
def test_names_change_at_dots(old: str, new: str, name: str, renamed: str) -> None:
    assert Renaming(old, new).of(name) == renamed


def test_a_module_takes_its_debt_along() -> None:
    world = world_of({"c app.old app.db": 2, "c app.x app.old": 1, "c app.y app.db": 1})
    moved = {"c app.new app.db": 2, "c app.x app.new": 1, "c app.y app.db": 1}
    assert {*kinds(world.judge(moved)).values()} == {"new", "gone"}
    plan = world.move("app.old", "app.new", moved, ["app.new", "app.db", "app.x", "app.y"])
    assert world.recorded() == moved
    assert plan.lines == ("boundaries: 3 facts moved.",)
    assert world.judge(moved).status is Status.HELD


def test_a_package_takes_everything_below_it_along() -> None:
    world = world_of({"c app.old.a app.old.b": 1, "c app.old app.db": 1})
    moved = {"c lib.new.a lib.new.b": 1, "c lib.new app.db": 1}
    world.move("app.old", "lib.new", moved, ["lib.new", "lib.new.a", "lib.new.b"])
    assert world.recorded() == moved


def test_a_file_can_become_a_package_of_its_name() -> None:
    world = world_of({"c app.b app.db": 1, "c app.x app.b": 1})
    moved = {"c app.b.core app.db": 1, "c app.x app.b": 1}
    world.move("app.b", "app.b.core", moved, ["app.b", "app.b.core"])
    assert world.recorded() == moved
    assert world.judge(moved).status is Status.HELD


def test_a_module_can_move_there_and_back() -> None:
    there, back = {"c app.new app.db": 1}, {"c app.old app.db": 1}
    world = world_of(back)
    for _ in range(2):
        world.move("app.old", "app.new", there, ["app.new"])
        assert world.judge(there).status is Status.HELD
        assert kinds(world.judge(back)) == {"c app.new app.db": "gone", "c app.old app.db": "new"}
        world.move("app.new", "app.old", back, ["app.old"])
        assert world.judge(back).status is Status.HELD


def test_debt_moved_onto_debt_adds_up_and_can_still_be_paid() -> None:
    world = world_of({"c app.old app.db": 2, "c app.new app.db": 1})
    world.move("app.old", "app.new", {"c app.new app.db": 3}, ["app.new"])
    assert world.judge({"c app.new app.db": 3}).status is Status.HELD
    assert world.law().grants.levels[key("c app.new app.db")] == Level(3, False)
    world.tighten({"c app.new app.db": 2})
    assert kinds(world.judge({"c app.new app.db": 3})) == {"c app.new app.db": "grown"}
    world.tighten({})
    assert kinds(world.judge({"c app.new app.db": 1})) == {"c app.new app.db": "returned"}


def test_two_keys_can_fold_into_one() -> None:
    world = world_of({"c old.a old.b": 1, "c old.a new.b": 1})
    world.move("old", "new", {"c new.a new.b": 2}, ["new.a", "new.b"])
    assert world.recorded() == {"c new.a new.b": 2}


def test_what_was_paid_on_the_way_is_not_carried_over() -> None:
    world = world_of({"c app.old app.db": 3, "c app.old app.z": 1})
    left = {"c app.new app.db": 1}
    world.move("app.old", "app.new", left, ["app.new"])
    assert world.recorded() == {"c app.new app.db": 1, "c app.old app.db": 2, "c app.old app.z": 1}
    world.tighten(left)
    assert world.recorded() == left


def test_growth_on_the_way_stays_growth() -> None:
    world = world_of({"c app.old app.db": 1})
    grown = {"c app.new app.db": 2, "c app.new app.z": 1}
    world.move("app.old", "app.new", grown, ["app.new"])
    assert world.recorded() == {"c app.new app.db": 1}
    assert kinds(world.judge(grown)) == {"c app.new app.db": "grown", "c app.new app.z": "new"}


def test_only_fields_that_hold_modules_are_renamed() -> None:
    world = world_of({"app.old app.old app.db": 1})
    world.move("app.old", "app.new", {"app.old app.new app.db": 1}, ["app.new"])
    assert world.recorded() == {"app.old app.new app.db": 1}


def test_the_old_name_is_no_tombstone_but_grants_nothing_any_more() -> None:
    world = world_of({"c app.old app.db": 1})
    before = world.files[TERMS.baseline]
    world.move("app.old", "app.new", {"c app.new app.db": 1}, ["app.new"])
    world.files[TERMS.baseline] += before.splitlines(keepends=True)[1]
    both = {"c app.new app.db": 1, "c app.old app.db": 1}
    assert kinds(world.judge(both)) == {"c app.old app.db": "new"}


def test_a_receipt_says_what_moved() -> None:
    world = world_of({"c app.old app.db": 1})
    (init,) = world.law().receipts
    world.move("app.old", "app.new", {"c app.new app.db": 1}, ["app.new"])
    (move,) = (receipt for receipt in world.law().receipts if receipt.verb == "move")
    assert [(touch.key[1], touch.count, touch.how) for touch in move.parts[0].touches] == [
        ("app.new", 1, How.MOVED),
        ("app.old", 0, How.MOVED),
    ]
    assert move.supersedes == (init.digest,)


def test_approvals_are_left_to_a_person() -> None:
    world = world_of({"c app.old app.db": 1})
    world.approve("c app.old app.z", "c app.y app.old", "c app.other app.z")
    moved = {"c app.new app.db": 1, "c app.new app.z": 1, "c app.y app.new": 1, "c app.other app.z": 1}
    policy = world.files[TERMS.policy]
    plan = world.move("app.old", "app.new", moved, ["app.new"])
    assert plan.lines == (
        "boundaries: 1 fact moved.",
        'Edit law/boundaries.toml:3: importer = "app.old" becomes "app.new".',
        'Edit law/boundaries.toml:12: imported = "app.old" becomes "app.new".',
    )
    assert world.files[TERMS.policy] == policy
    world.approve("c app.new app.z", "c app.y app.new", "c app.other app.z")
    assert world.judge(moved).status is Status.HELD


def test_a_move_of_approvals_alone_writes_nothing_and_says_what_to_edit() -> None:
    world = world_of({})
    world.approve("c app.old app.z")
    plan = world.move("app.old", "app.new", {"c app.new app.z": 1}, ["app.new"])
    assert plan.nothing
    assert len(plan.lines) == 1


@pytest.mark.parametrize(
    ("old", "new", "counts", "modules", "message"),
    [
        ("app.old", "app.new", {"c app.new app.db": 1}, ["app.new", "app.old"], "app.old is still there"),
        ("app.old", "app.new", {"c app.new app.db": 1}, ["app.new", "app.old.x"], "app.old.x is still there"),
        ("app.old", "app.new", {"c app.new app.db": 1}, ["app.newer"], "there is no module app.new"),
        ("app.old", "app.old", {}, ["app.old"], "are one name"),
        ("app..old", "app.new", {}, ["app.new"], "'app..old' is no dotted name"),
        ("app.old", "app.new", {}, ["app.new"], "nothing recorded for app.old is in the code under app.new"),
        ("app.zzz", "app.new", {"c app.new app.db": 1}, ["app.new"], "nothing recorded for app.zzz"),
        ("app.old", "app.new", {"c app.old app.db": 1, "c app.new app.db": 1}, ["app.new"], "under both names"),
        ("app.old", "app.old.core", {"c app.old app.db": 1, "c app.old.core app.db": 1}, ["app.old.core"], "both"),
        ("app.old", "app.paid", {"c app.paid app.db": 1}, ["app.paid"], "was paid before and may not return"),
    ],
)
def test_what_is_no_move_is_refused(
    old: str, new: str, counts: dict[str, int], modules: list[str], message: str
) -> None:
    world = world_of({"c app.old app.db": 1, "c app.paid app.db": 1})
    world.tighten({"c app.old app.db": 1})
    before = dict(world.files)
    with pytest.raises(Refused, match=message):
        world.move(old, new, counts, modules)
    assert world.files == before


def test_moving_twice_is_refused_and_changes_nothing() -> None:
    world, moved = world_of({"c app.old app.db": 1}), {"c app.new app.db": 1}
    world.move("app.old", "app.new", moved, ["app.new"])
    before = dict(world.files)
    with pytest.raises(Refused, match="nothing recorded for"):
        world.move("app.old", "app.new", moved, ["app.new"])
    assert world.files == before


def test_a_partial_scan_moves_nothing() -> None:
    partial = measured({"c app.new app.db": 1}, faults=[Fault("z.py", 1, "does not parse.")])
    moving = Moving.of(world_of({"c app.old app.db": 1}).law(), partial, ("importer",))
    with pytest.raises(Refused, match="does not parse"):
        plan_move("app.old", "app.new", [moving], CodeNames(["app.new"]), TODAY)


def test_several_gates_move_in_one_write() -> None:
    terms = replace(TERMS, gate="cycles", policy="law/cycles.toml", baseline="law/cycles.jsonl")
    counts, moved = {"c app.old app.db": 1}, measured({"c app.new app.db": 1})
    worlds = [world_of(counts), World(terms=terms)]
    worlds[1].init(counts)
    gates = [Moving.of(world.law(), moved, ("importer",)) for world in worlds]
    snapshot = Moving.of(Law(SNAPSHOT), moved, ("importer",))
    plan = plan_move("app.old", "app.new", [*gates, snapshot], CodeNames(["app.new"]), TODAY)
    assert [part.gate for part in plan.parts] == ["boundaries", "cycles"]
    assert len(plan.supersedes) == 2


def test_what_takes_approvals_only_is_not_carried_over() -> None:
    world = world_of({"c app.old app.db": 1})
    only = replace(measured({"c app.new app.db": 1}), reviewed_only=lambda of: of[1] == "app.new")
    with pytest.raises(Refused, match="nothing recorded"):
        plan_move("app.old", "app.new", [Moving.of(world.law(), only, ("importer",))], CodeNames(["app.new"]), TODAY)


def test_a_gate_whose_grants_people_write_only_has_its_approvals_named() -> None:
    world = World(terms=replace(TERMS, direction=Direction.EXACT))
    world.approve("c app.old app.z")
    plan = world.move("app.old", "app.new", {"c app.new app.z": 1}, ["app.new"])
    assert plan.nothing
    assert "Edit law/boundaries.toml:3" in plan.lines[0]


NAMES = st.sampled_from(["old", "old.x", "new", "new.x", "db"])
EDGES = st.tuples(NAMES, NAMES).map(lambda pair: f"c {pair[0]} {pair[1]}")


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.dictionaries(EDGES, st.integers(1, 3), max_size=6), st.dictionaries(EDGES, st.integers(1, 3), max_size=6))
def test_a_move_never_raises_a_sum_nor_forgives_what_it_did_not_move(
    recorded: dict[str, int], found: dict[str, int]
) -> None:
    world = world_of(recorded)
    excess = {v.identity: v.found - v.granted for v in world.judge(found).violations if v.kind.excess}
    try:
        world.move("old", "new", found, ["new", "new.x", "db"])
    except Refused:
        assert world.recorded() == recorded
        return
    after = world.recorded()
    assert sum(after.values()) == sum(recorded.values())
    for text, count in after.items():
        if count > recorded.get(text, 0):
            identity = tuple(zip(TERMS.fields, key(text), strict=True))
            assert count - recorded.get(text, 0) <= excess[identity]
    assert all(v.identity in excess for v in world.judge(found).violations if v.kind.excess)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(st.dictionaries(st.tuples(NAMES, NAMES), st.integers(1, 3), min_size=1, max_size=6))
def test_a_pure_renaming_is_held(edges: dict[tuple[str, str], int]) -> None:
    renaming = Renaming("old", "other")
    before = {f"c {one} {two}": count for (one, two), count in edges.items()}
    after = {f"c {renaming.of(one)} {renaming.of(two)}": count for (one, two), count in edges.items()}
    world = world_of(before)
    if before == after:
        return
    world.move("old", "other", after, ["other", "other.x", "new", "new.x", "db"])
    assert world.recorded() == after
    assert world.judge(after).status is Status.HELD

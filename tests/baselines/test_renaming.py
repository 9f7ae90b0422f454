"""What keys are called once a module, a function or a class has another name."""

from __future__ import annotations

from datetime import date

import pytest

from abutment.baselines.code_names import CodeNames
from abutment.baselines.move import Moving, plan_move
from abutment.baselines.plan import Plan
from abutment.baselines.renaming import NameFields, Renaming, read_renaming
from abutment.errors import Refused
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Measurement
from abutment.model.terms import Direction, Terms
from abutment.verdicts.verdict import Status
from tests.baselines.laws import FOLDER, TODAY, World

FIELDS = ("module", "qualname", "target", "through")
TERMS = Terms(
    "blocking", FIELDS, Direction.RATCHET, True, policy=f"{FOLDER}/blocking.toml", baseline=f"{FOLDER}/blocking.jsonl"
)
NAMES = NameFields.of(FIELDS, ("module",), ("target", "through"))


@pytest.mark.parametrize(
    ("renaming", "key", "renamed"),
    [
        (Renaming("a.f", "a.g", "a"), "a f x .", "a g x ."),
        (Renaming("a.f", "a.g", "a"), "a f.<locals>.h x .", "a g.<locals>.h x ."),
        (Renaming("a.f", "a.g", "a"), "a ff x .", "a ff x ."),
        (Renaming("a.f", "a.g", "a"), "b f x .", "b f x ."),
        (Renaming("a.f", "b.c.g", "b.c"), "a f x .", "b.c g x ."),
        (Renaming("a.C", "b.D", "b"), "a C.m x .", "b D.m x ."),
        (Renaming("a.C.m", "a.C.n", "a"), "a C.m x .", "a C.n x ."),
        (Renaming("a.C.m", "a.m", "a"), "a C.m x .", "a m x ."),
        (Renaming("a.C.m", "a.C.n", "a"), "a C x .", "a C x ."),
        (Renaming("a.f", "a.g", "a"), "m k a.f a.f", "m k a.g a.g"),
        (Renaming("a.C", "b.C", "b"), "m k a.C.m .", "m k b.C.m ."),
        (Renaming("a", "b"), "a f a.x a.y", "b f b.x b.y"),
        (Renaming("a", "b"), "m a.f requests.get .", "m a.f requests.get ."),
    ],
)
def test_a_name_is_followed_wherever_it_stands(renaming: Renaming, key: str, renamed: str) -> None:
    assert NAMES.renamed(tuple(key.split()), renaming) == tuple(renamed.split())


def test_a_gate_without_scopes_has_its_names_followed_all_the_same() -> None:
    names = NameFields.of(("kind", "target"), (), ("target",))
    assert names.renamed(("a.f", "a.f"), Renaming("a.f", "a.g", "a")) == ("a.f", "a.g")


MODULES = ("a", "a.b", "c")
DEFINED = {"a": ("f",), "a.b": ("g", "C", "C.m"), "c": ()}


@pytest.mark.parametrize(
    ("old", "new", "home"),
    [
        ("a.b.old", "a.b.g", "a.b"),
        ("gone.old", "a.b.g", "a.b"),
        ("a.b.C.old", "a.b.C.m", "a.b"),
        ("a.b.Old", "a.b.C", "a.b"),
        ("c.g", "a.b.g", "a.b"),
        ("old", "a.b", ""),
        ("a.b.old", "a", ""),
    ],
)
def test_what_has_moved_is_told_by_its_new_name(old: str, new: str, home: str) -> None:
    assert read_renaming(old, new, CodeNames(MODULES, lambda module: DEFINED[module])) == (Renaming(old, new, home), ())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("a.f", "a.b.g", "a.f is still there, so it has not become a.b.g."),
        ("a.b.C.m", "a.f", "a.b.C.m is still there"),
        ("a.old", "a.new", "there is no module a.new, and no function or class of that name."),
        ("a.old", "zzz.new", "there is no module zzz.new, and no function"),
        ("c", "a.f", "c is a module, which has not become the function or class a.f."),
        ("a.f", "a.f", "are one name"),
        ("a.", "a.f", "'a.' is no dotted name"),
    ],
)
def test_what_has_not_moved_is_refused(old: str, new: str, message: str) -> None:
    _renaming, faults = read_renaming(old, new, CodeNames(MODULES, lambda module: DEFINED[module]))
    assert [message in fault.message for fault in faults] == [True]


def key(text: str) -> Key:
    return tuple("" if part == "." else part for part in text.split())


def measured(counts: dict[str, int]) -> Measurement:
    return Measurement({key(text): count for text, count in counts.items()}, lambda _key: Evidence("R", "w"), 1, "uses")


def recorded(counts: dict[str, int]) -> World:
    from abutment.baselines.record import plan_init

    world = World(terms=TERMS)
    world.apply(plan_init(world.law_before(), measured(counts)))
    return world


def move(world: World, old: str, new: str, counts: dict[str, int], defined: dict[str, tuple[str, ...]]) -> Plan:
    moving = Moving.of(world.law(), measured(counts), ("module",), ("target", "through"))
    plan = plan_move(old, new, [moving], CodeNames(defined, lambda module: defined.get(module, ())), TODAY)
    return world.apply(plan)


def status(world: World, counts: dict[str, int], today: date = TODAY) -> Status:
    from abutment.verdicts.judge import judge

    return judge(TERMS, measured(counts), world.law().grants, today).status


def test_a_class_takes_its_methods_debt_along_and_no_total_rises() -> None:
    world = recorded({"a Old.m time.sleep .": 2, "a Old.n time.sleep .": 1, "a other time.sleep .": 1})
    moved = {"b New.m time.sleep .": 2, "b New.n time.sleep .": 1, "a other time.sleep .": 1}
    plan = move(world, "a.Old", "b.New", moved, {"a": ("other",), "b": ("New", "New.m", "New.n")})
    assert plan.lines == ("blocking: 3 facts moved.",)
    assert status(world, moved) is Status.HELD


def test_who_goes_through_a_function_that_moved_has_its_new_name() -> None:
    world = recorded({"m run time.sleep a.helper": 1})
    moved = {"m run time.sleep b.helper": 1}
    move(world, "a.helper", "b.helper", moved, {"a": (), "b": ("helper",), "m": ("run",)})
    assert status(world, moved) is Status.HELD


def test_a_function_moved_there_and_back_has_its_debt_again() -> None:
    there, back = {"a g time.sleep .": 2}, {"a f time.sleep .": 2}
    world = recorded(back)
    move(world, "a.f", "a.g", there, {"a": ("g",)})
    assert status(world, there) is Status.HELD
    assert status(world, back) is Status.BROKEN
    move(world, "a.g", "a.f", back, {"a": ("f",)})
    assert status(world, back) is Status.HELD


def test_what_grew_on_the_way_is_not_carried_over() -> None:
    world = recorded({"a f time.sleep .": 1})
    move(world, "a.f", "a.g", {"a g time.sleep .": 3}, {"a": ("g",)})
    assert status(world, {"a g time.sleep .": 1}) is Status.HELD


def test_a_function_that_has_no_debt_under_its_new_name_moves_nothing() -> None:
    world = recorded({"a f time.sleep .": 1})
    with pytest.raises(Refused, match=r"nothing recorded for a\.f is in the code under a\.g"):
        move(world, "a.f", "a.g", {"a h time.sleep .": 1}, {"a": ("g", "h")})

"""What a migration says of names is believed as far as the code of both revisions bears it out, pair by pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import cast

from abutment.baselines.receipts import How, Part, Receipt, Touch
from abutment.gates import load_gate
from abutment.guard.codebase import Codebase
from abutment.guard.grants import Grant
from abutment.guard.moves import carried_over
from abutment.guard.renames import Renames
from abutment.guard.weight import Granted
from abutment.model.identity import Key
from abutment.model.site import Site
from tests.baselines.laws import key

GATE = load_gate("boundaries")


def grants(*texts: str) -> list[Grant]:
    return [Grant(GATE, key(text), Granted(recorded=1, level=1), Site("law")) for text in texts]


def migration(pairs: Iterable[tuple[str, str]], verb: str = "migrate", digest: str = "0") -> Receipt:
    moves = [(key(old), key(new)) for old, new in pairs]
    touches = [Touch(old, 0, How.MOVED) for old, _ in moves] + [Touch(new, 1, How.MOVED) for _, new in moves]
    part = Part("boundaries", GATE.fields, tuple(sorted(touches)), moves=tuple(moves))
    return Receipt(verb, parts=(part,), kept_as=f"migrations/{digest}.jsonl")


class Noted(frozenset[str]):
    """Names that count how often they are looked up."""

    asked = 0

    def __contains__(self, name: object) -> bool:
        Noted.asked += 1
        return super().__contains__(name)


class Shown(Renames):
    """Two revisions that have these modules, of which none reads like another."""

    def __init__(self, before: str, after: str) -> None:
        was, now = (cast("Codebase", SimpleNamespace(names=Noted(names.split()))) for names in (before, after))
        self._old, self._new = lambda: was, lambda: now

    modules: Mapping[str, str] = {}  # instead of the property that reads the code


def code(before: str, after: str) -> Renames:
    """Return what two revisions have, by the names of their modules."""
    return Shown(before, after)


def recorded(found: Iterable[Grant]) -> set[Key]:
    return {grant.key for grant in found if grant.granted.recorded}


def test_names_that_sort_in_another_order_keep_each_its_own_debt() -> None:
    before = grants("c app.a app.db", "c app.b app.db", "c app.b app.api")
    after = grants("c app.z app.db", "c app.y app.db", "c app.y app.api")
    said = migration(
        [
            ("c app.a app.db", "c app.z app.db"),
            ("c app.b app.db", "c app.y app.db"),
            ("c app.b app.api", "c app.y app.api"),
        ]
    )
    found = carried_over(before, after, [said], code("app.a app.b app.db app.api", "app.y app.z app.db app.api"))
    assert recorded(found) == {grant.key for grant in after}


def test_one_migration_after_the_other_is_followed() -> None:
    said = [
        migration([("c app.a app.db", "c app.b app.db")], digest="1"),
        migration([("c app.b app.db", "c app.c app.db")], digest="2"),
    ]
    for receipts in (said, said[::-1]):
        found = carried_over(
            grants("c app.a app.db"), grants("c app.c app.db"), receipts, code("app.a app.db", "app.c app.db")
        )
        assert recorded(found) == {key("c app.c app.db")}


def test_what_the_code_does_not_bear_out_is_not_believed() -> None:
    said = migration([("c app.a app.db", "c app.b app.db")])
    for before, after in (("app.a app.db", "app.a app.b app.db"), ("app.a app.b app.db", "app.b app.db")):
        found = carried_over(grants("c app.a app.db"), grants("c app.b app.db"), [said], code(before, after))
        assert recorded(found) == set()


def test_what_is_no_name_does_not_change_by_a_migration() -> None:
    said = migration([("c app.a app.db", "d app.b app.db")])
    found = carried_over(
        grants("c app.a app.db"), grants("d app.b app.db"), [said], code("app.a app.db", "app.b app.db")
    )
    assert recorded(found) == set()


def test_many_names_cost_as_many_questions() -> None:
    numbers = range(300)
    olds, news = [f"app.old.m{number}" for number in numbers], [f"app.new.m{number}" for number in numbers]
    said = migration((f"c {old} app.db", f"c {new} app.db") for old, new in zip(olds, news, strict=True))
    renamed = code(" ".join([*olds, "app.db"]), " ".join([*news, "app.db"]))
    before, after = (grants(*(f"c {name} app.db" for name in names)) for names in (olds, news))
    Noted.asked = 0
    assert recorded(carried_over(before, after, [said], renamed)) == {grant.key for grant in after}
    assert 0 < Noted.asked < 20 * len(olds)

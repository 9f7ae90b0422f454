"""What a migration does to recorded debt, and what it refuses to do."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from abutment.baselines.migration.rewriting import Asked, Names
from abutment.baselines.receipts import How
from abutment.baselines.renaming import NameFields, Renaming
from abutment.errors import Refused
from abutment.model.identity import Key
from tests.baselines.laws import FOLDER, TERMS, key
from tests.baselines.migrating import (
    apply,
    contents,
    law_in,
    migrate,
    plan,
    record,
    recorded,
    renames,
    subject,
    tighten,
    verify,
    with_fields,
)

DEBT = {"c app.old.a app.db": 2, "c app.old.b app.db": 1, "c app.web app.old.a": 1, "c app.web app.db": 3}
MOVED = {"c app.new.a app.db": 2, "c app.new.b app.db": 1, "c app.web app.db": 3, "c app.web app.new.a": 1}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return record(tmp_path, DEBT)


def levels(root: Path) -> dict[Key, tuple[int, bool]]:
    return {each: (level.count, level.paid_off) for each, level in law_in(root).grants.levels.items()}


def test_debt_goes_along_with_its_name(root: Path) -> None:
    done = migrate(root, renames("app.old app.new"))
    assert done.word == "applied"
    assert recorded(root) == MOVED
    assert levels(root)[key("c app.old.a app.db")] == (0, False), "nothing is granted under the old name, or paid"


def test_a_plan_is_a_header_and_ordered_mutations(root: Path) -> None:
    plan(root, renames("app.old app.new"))
    head, *lines = (root / "plan.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"ordinal": at, "document": "boundaries.jsonl", "before": before.split(), "after": after.split(), "count": n}
        for at, (before, after, n) in enumerate(
            [
                ("c app.old.a app.db", "c app.new.a app.db", 2),
                ("c app.old.b app.db", "c app.new.b app.db", 1),
                ("c app.web app.old.a", "c app.web app.new.a", 1),
            ]
        )
    ]
    header = json.loads(head)
    assert header["abutment"] == "1.0"
    (change,) = header["documents"]
    assert (change["before"]["schema"], change["after"]["schema"]) == (1, 1)
    assert (change["before"]["entries"], change["after"]["entries"], change["mutations"]) == (4, 4, 3)
    assert len({header["old"], header["mutations"], header["new"], change["before"]["digest"]}) == 4


def test_planning_and_verifying_write_nothing_into_the_documents(root: Path) -> None:
    before = contents(root)
    file = plan(root, renames("app.old app.new"))
    assert verify(root, file) == "ready"
    del (after := contents(root))["plan.jsonl"]
    assert after == before


def test_the_longer_name_counts_and_all_at_once(root: Path) -> None:
    migrate(root, renames("app.old app.new", "app.old.b app.core.b", "app.web app.old", "app.db app.web"))
    assert recorded(root) == {
        "c app.core.b app.web": 1,
        "c app.new.a app.web": 2,
        "c app.old app.new.a": 1,
        "c app.old app.web": 3,
    }


def test_what_becomes_one_is_their_sum(tmp_path: Path) -> None:
    root = record(tmp_path, {"c app.a app.db": 2, "c app.b app.db": 1})
    migrate(root, renames("app.a app.c", "app.b app.c"))
    assert recorded(root) == {"c app.c app.db": 3}


def test_names_that_are_exchanged_keep_their_counts(tmp_path: Path) -> None:
    root = record(tmp_path, {"c app.a app.db": 2, "c app.b app.db": 1})
    migrate(root, renames("app.a app.b", "app.b app.a"))
    assert recorded(root) == {"c app.a app.db": 1, "c app.b app.db": 2}


def test_there_and_back_again(root: Path) -> None:
    migrate(root, renames("app.old app.new"))
    migrate(root, renames("app.new app.old"))
    assert recorded(root) == DEBT
    migrate(root, renames("app.old app.new"))
    assert recorded(root) == MOVED


def test_a_payment_of_another_branch_goes_on_speaking(root: Path) -> None:
    other = record(root.parent / "other", DEBT)
    tighten(other, {**DEBT, "c app.old.a app.db": 0})
    migrate(root, renames("app.old app.new"))
    for path, data in contents(other).items():
        (root / path).write_bytes(data) if "/receipts/" in path else None
    assert levels(root)[key("c app.old.a app.db")] == (0, True)
    assert recorded(root) == MOVED


def test_a_tombstone_goes_along(root: Path) -> None:
    left = {text: count for text, count in DEBT.items() if text != "c app.old.a app.db"}
    tighten(root, left)
    migrate(root, renames("app.old app.new"))
    assert levels(root)[key("c app.new.a app.db")] == (0, True)
    assert key("c app.new.a app.db") not in {entry.key for entry in law_in(root).grants.recorded}


@pytest.mark.parametrize("held", ["recorded", "approved"])
def test_a_tombstone_does_not_fall_upon_what_is_held_there(tmp_path: Path, held: str) -> None:
    root = record(tmp_path, {"c app.a app.db": 1, "c app.b app.db": 1, "c app.a app.x": 1})
    live = {"c app.b app.db": 1, "c app.a app.x": 1} if held == "recorded" else {"c app.a app.x": 1}
    tighten(root, live)
    asked = renames("app.a app.c", "app.b app.c")
    migrate(root, asked, subject(TERMS, *(["c app.c app.db"] if held == "approved" else [])))
    assert levels(root).get(key("c app.c app.db"), (1, False)) == (1, False)
    assert recorded(root) == {text.replace("app.b", "app.c").replace("app.a", "app.c"): n for text, n in live.items()}


def test_debt_that_was_paid_may_not_return(tmp_path: Path) -> None:
    root = record(tmp_path, {"c app.a app.db": 1, "c app.b app.db": 1})
    tighten(root, {"c app.a app.db": 1})
    with pytest.raises(Refused, match=r"c, app\.b, app\.db: was paid before and may not return"):
        plan(root, renames("app.a app.b"))


def test_what_is_recorded_under_both_names_is_refused(tmp_path: Path) -> None:
    root = record(tmp_path, {"c app.a app.db": 1, "c app.b app.db": 1})
    with pytest.raises(Refused, match=r"c, app\.b, app\.db: is recorded under both names"):
        plan(root, renames("app.a app.b"))


def test_a_line_that_receipts_do_not_bear_out_is_not_laundered(root: Path) -> None:
    baseline = root / TERMS.baseline
    baseline.write_text(
        baseline.read_text().replace(
            '"app.old.b", "imported": "app.db", "count": 1', '"app.old.b", "imported": "app.db", "count": 7'
        )
    )
    with pytest.raises(Refused, match=r"c, app\.old\.b, app\.db: the line says 7, and receipts recorded 1"):
        plan(root, renames("app.old app.new"))


def test_a_plan_without_a_change_is_refused(root: Path) -> None:
    with pytest.raises(Refused, match="nothing that is recorded here would change"):
        plan(root, renames("app.other app.new"))


def test_what_is_changed_while_a_plan_is_made_ends_it(root: Path) -> None:
    class Slow(Names):
        """Names during whose look-up somebody writes a policy."""

        def renamed(self, key: Key, places: NameFields) -> Key:
            (root / TERMS.policy).write_text("schema = 1\n")
            return super().renamed(key, places)

    with pytest.raises(Refused, match=r"law: was changed while it was read\. Run the command again"):
        plan(root, Asked(names=Slow([Renaming("app.old", "app.new")])))


def test_the_value_of_a_field_is_rewritten_and_what_it_covered_stays_covered(tmp_path: Path) -> None:
    root = record(tmp_path, DEBT, covers=("c", "d"))
    migrate(root, Asked(values={("boundaries", "contract"): {"c": "rooms"}}))
    assert set(recorded(root)) == {text.replace("c ", "rooms ", 1) for text in DEBT}
    receipt = next(each for each in law_in(root).receipts if each.verb == "migrate")
    assert receipt.parts[0].covers == ("rooms",)


def test_a_field_that_is_renamed_and_one_that_is_added(root: Path) -> None:
    now = with_fields("contract", "importer", "imported", "when")
    migrate(root, Asked(added={("boundaries", "when"): "module"}), subject(now))
    assert recorded(root, now) == {f"{text} module": count for text, count in DEBT.items()}
    again = with_fields("law", "importer", "imported", "when")
    migrate(root, Asked(fields={("boundaries", "contract"): "law"}), subject(again))
    assert recorded(root, again) == {f"{text} module": count for text, count in DEBT.items()}


def test_a_tombstone_survives_other_fields(root: Path) -> None:
    tighten(root, {text: count for text, count in DEBT.items() if text != "c app.old.a app.db"})
    now = with_fields("contract", "importer", "imported", "when")
    migrate(root, Asked(added={("boundaries", "when"): "module"}), subject(now))
    level = law_in(root, now).grants.levels[("c", "app.old.a", "app.db", "module")]
    assert (level.count, level.paid_off) == (0, True)


@pytest.mark.parametrize(
    ("now", "asked", "message"),
    [
        (("contract", "importer"), Asked(), "the field imported would be lost"),
        ((*TERMS.fields, "when"), Asked(), "the field when comes from nowhere"),
        (
            ("contract", "end"),
            Asked(fields={("boundaries", "importer"): "end", ("boundaries", "imported"): "end"}),
            "several fields would become end, and facts that differ in one of them would become one",
        ),
        (TERMS.fields, Asked(added={("boundaries", "where"): "x"}), "the gate has no field where to be added"),
        (TERMS.fields, Asked(added={("boundaries", "contract"): "x"}), "the field contract is there already"),
        (TERMS.fields, Asked(values={("boundaries", "where"): {"x": "y"}}), "the gate has no field where"),
    ],
)
def test_fields_that_do_not_become_those_of_the_gate_are_refused(
    root: Path, now: tuple[str, ...], asked: Asked, message: str
) -> None:
    with pytest.raises(Refused, match=message):
        plan(root, asked, subject(with_fields(*now)))


def test_conditions_stay_in_header_and_receipt(tmp_path: Path) -> None:
    from abutment.baselines.law import Law
    from abutment.baselines.record import plan_init
    from abutment.baselines.store import commit
    from tests.baselines.laws import TOOLS, measured

    under = replace(measured(DEBT), conditions={"mypy": "1.2"})
    commit(tmp_path, FOLDER, plan_init(Law(TERMS), under), TOOLS)
    migrate(tmp_path, renames("app.old app.new"))
    law = law_in(tmp_path)
    assert law.conditions == {"mypy": "1.2"}
    assert {part.conditions for receipt in law.receipts for part in receipt.parts} == {(("mypy", "1.2"),)}


def test_the_receipt_says_what_moved(root: Path) -> None:
    migrate(root, renames("app.old app.new"))
    receipt = next(each for each in law_in(root).receipts if each.verb == "migrate")
    said = {" ".join(touch.key): (touch.count, touch.how) for touch in receipt.parts[0].touches}
    assert said["c app.old.a app.db"] == (0, How.MOVED)
    assert said["c app.new.a app.db"] == (2, How.MOVED)
    assert "c app.web app.db" not in said


def test_two_gates_are_one_migration(root: Path) -> None:
    second = replace(TERMS, gate="cycles", baseline="law/cycles.jsonl", policy="law/cycles.toml")
    record(root, {"import app.old.a app.web": 1}, second)
    file = plan(root, renames("app.old app.new"), subject(second), subject())
    assert [change.name for change in file.plan.documents] == ["boundaries.jsonl", "cycles.jsonl"]
    apply(root, file)
    assert recorded(root) == MOVED
    assert recorded(root, second) == {"import app.new.a app.web": 1}

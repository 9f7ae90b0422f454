from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.gates.transactions import GATE
from tests.families import found, measured
from tests.settings import settings_of

SAVE = "from sqlalchemy.orm import Session\ndef save(s: Session): s.commit()\n"
OWNER = {"m.py": SAVE, "units.py": SAVE}


def test_an_operation_is_counted_by_module_function_target_and_kind() -> None:
    counts = measured(GATE, SAVE + "def both(s: Session):\n    s.commit()\n    s.commit()\n").counts
    assert counts == {
        ("m", "save", "sqlalchemy.orm.Session", "commit"): 1,
        ("m", "both", "sqlalchemy.orm.Session", "commit"): 2,
    }


@pytest.mark.parametrize(
    ("operation", "rule", "clause"),
    [
        ("session", "ABT651", "m, in f, opens a session of its own by db.Session"),
        ("commit", "ABT652", "m, in f, commits a transaction of db.Session"),
        ("rollback", "ABT652", "m, in f, rolls back a transaction of db.Session"),
        ("begin", "ABT653", "m, in f, begins a transaction by db.Session"),
        ("decorate", "ABT654", "m, in f, puts a transaction of db.Session around a function"),
    ],
)
def test_each_operation_has_its_words(operation: str, rule: str, clause: str) -> None:
    evidence = measured(GATE, SAVE).describe(("m", "f", "db.Session", operation))
    assert (evidence.rule, evidence.what) == (rule, clause)


def test_an_owner_is_listed_and_not_judged() -> None:
    assert found(GATE, OWNER, owners=["units"]) == ["2 commit sqlalchemy.orm.Session.commit"] * 2
    assert [key[0] for key in measured(GATE, OWNER, owners=["units"]).counts] == ["m"]


def test_an_owner_of_nothing_is_gone() -> None:
    (unused,) = measured(GATE, OWNER, owners=["units", "=m.n"]).unused
    assert (unused.key, unused.evidence.rule) == (("=m.n", "", "", "owner"), "ABT655")


def test_roots_narrow_what_is_judged() -> None:
    assert [key[0] for key in measured(GATE, OWNER, roots=["units"]).counts] == ["units"]
    (fault,) = measured(GATE, OWNER, roots=["unit"]).faults
    assert fault.message == "transactions.roots[0]: 'unit' matches no module."


def test_own_names_add_to_the_built_in_ones_and_may_leave() -> None:
    own = {"m.py": "from db import tx\n@tx\ndef f(): pass\n", "db.py": "def tx(f): return f\n"}
    assert found(GATE, own, decorators=["db.tx"]) == ["2 decorate db.tx"]
    assert found(GATE, SAVE, not_transactions=["sqlalchemy.orm.Session"]) == []


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"owners": ["a..b"]}, "'a..b' is no dotted module name"),
        ({"owners": ["a", "a"]}, "'a' is there twice"),
        ({"not_transactions": ["db.Nothing"]}, "'db.Nothing' is in none of the built-in lists"),
        ({"session": []}, "session: unknown key"),
    ],
)
def test_a_wrong_table_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)


def test_a_name_of_this_codebase_that_is_nothing_leaves_the_gate_unjudged() -> None:
    (fault,) = measured(GATE, OWNER, sessions=["units.Sesion"]).faults
    assert fault.message == "transactions.sessions[0]: the code defines no units.Sesion."

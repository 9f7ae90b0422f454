"""A grant that nothing answers to is told beside what a person may have meant, and beside nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from abutment.model.grants import Grants, Recorded
from abutment.model.violation import Kind, Violation
from abutment.verdicts.hints import with_hints
from abutment.verdicts.judge import judge
from tests.baselines.laws import TERMS, TODAY, approval, key, measured

MODULES = ("app", "app.a", "app.b", "app.engine", "app.runner")


def gone(grants: Grants, *new: str) -> Violation:
    """Return what is said of the one grant that is gone."""
    verdict = judge(TERMS, measured(dict.fromkeys(new, 1)), grants, TODAY)
    (found,) = (
        one for one in with_hints(verdict, ("importer", "imported"), MODULES).violations if one.kind is Kind.GONE
    )
    return found


def approved(text: str) -> Grants:
    return Grants(approvals=(approval(text),))


def recorded(text: str) -> Grants:
    return Grants(recorded=(Recorded(key(text), 1, 2),))


@pytest.mark.parametrize(
    ("granted", "new", "details"),
    [
        ("c app.a app.runer", [], ["there is no module app.runer; did you mean app.runner?"]),
        ("c app.a app.zz_new", [], ["there is no module app.zz_new."]),  # like nothing, but for its package
        ("c app.a requests", [], []),
        ("d app.a app.b", ["c app.a app.b"], ["only its contract differs from what is new there: c."]),
        ("c app.a app.b", ["c app.a app.a"], ["only its imported differs from what is new there: app.a."]),
        ("c app.a app.b", ["d app.a app.a"], []),  # in two
        (
            "c app.a app.b",
            ["c app.a app.runner", "c app.a app.engine", "c app.b app.b"],
            [
                "only its importer differs from what is new there: app.b.",
                "only its imported differs from what is new there: app.engine or app.runner.",
            ],
        ),
    ],
)
def test_an_approval_is_told_what_is_near(granted: str, new: list[str], details: list[str]) -> None:
    assert list(gone(approved(granted), *new).details) == details


def test_what_we_recorded_is_not_misspelt() -> None:
    assert gone(recorded("d app.a app.zz_new"), "c app.a app.b").details == ()


def test_a_name_that_may_be_an_older_one_may_also_be_misspelt_where_a_person_wrote_it() -> None:
    grants = approved("c app.zz_nwe app.b")
    moved = "If app.zz_nwe is called app.runner now: `abutment move app.zz_nwe app.runner`."
    by_hand = gone(grants, "c app.runner app.b").remedy
    assert by_hand.startswith(f"{moved} If it is misspelt: write app.runner. Otherwise: Delete")
    ours = gone(recorded("c app.zz_nwe app.b"), "c app.runner app.b").remedy
    assert ours.startswith(f"{moved} Otherwise: ")
    assert "misspelt" not in ours


def test_without_anything_gone_nothing_is_said() -> None:
    verdict = judge(TERMS, measured({"c app.a app.b": 1}), Grants(), TODAY)
    assert with_hints(verdict, ("importer",), MODULES) == replace(verdict)

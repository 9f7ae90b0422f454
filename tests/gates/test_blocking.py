from __future__ import annotations

import pytest

from abutment.errors import NotJudged
from abutment.gates.blocking import GATE
from tests.families import found, measured
from tests.settings import settings_of

TEXT = "import time\ndef nap():\n    time.sleep(1)\nasync def f():\n    nap()\n    open('')\n"


def test_a_call_and_a_helper_read_apart() -> None:
    found = measured(GATE, TEXT)
    said = {found.describe(key).what: found.describe(key).rule for key in found.counts}
    assert said == {
        "m, in f, holds up the event loop by open": "ABT701",
        "m, in f, holds up the event loop by m.nap (it calls time.sleep)": "ABT702",
    }


def test_the_chain_is_shown_and_belongs_to_the_violation() -> None:
    found = measured(GATE, TEXT)
    evidence = found.describe(("m", "f", "time.sleep", "m.nap"))
    assert evidence.details == ("m.nap calls time.sleep: m.py:3",)
    assert [site.place() for site in evidence.sites] == ["m.py:5"]
    assert [site.place() for site in evidence.through] == ["m.py:3"]
    assert found.describe(("m", "f", "time.sleep", "m.gone")).details == ()


def test_a_builtin_reads_without_its_module() -> None:
    assert found(GATE, "async def f(): open('')") == ["1 blocking open"]


def test_repeats_in_one_function_are_counted() -> None:
    found = measured(GATE, "import time\nasync def f():\n    time.sleep(1)\n    time.sleep(2)")
    assert found.counts == {("m", "f", "time.sleep", ""): 2}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"alsow": ["a"]}, "alsow: unknown key"),
        ({"not_blocking": ["time.slep"]}, "blocking.not_blocking[0]: 'time.slep' is not in the list"),
        ({"also": [1]}, "expected text"),
    ],
)
def test_a_wrong_setting_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)


def test_a_function_that_stands_nowhere_leaves_the_gate_unjudged() -> None:
    assert measured(GATE, TEXT, not_through=["m.nap"]).faults == ()
    assert [fault.line_text() for fault in measured(GATE, TEXT, not_through=["m.gone"]).faults] == [
        "abutment.toml:7: blocking.not_through[0]: the code defines no m.gone. Correct or delete it."
    ]


def test_a_module_left_out_is_not_judged() -> None:
    assert measured(GATE, {"a.py": TEXT, "b.py": ""}, exclude=["a"]).counts == {}

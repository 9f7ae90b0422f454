from __future__ import annotations

from datetime import date

import pytest

from abutment.errors import NotJudged
from abutment.gates.events import GATE
from abutment.model.grants import Approval, Grants, Recorded
from abutment.model.identity import Key
from abutment.model.measurement import Measurement
from abutment.model.site import Site
from abutment.model.violation import Kind
from abutment.verdicts.judge import judge
from tests.families import measured
from tests.settings import settings_of

BUS = (
    "from enum import Enum\nclass E(Enum):\n    A = 1\n    B = 2\n"
    "class Bus:\n    def send(self, event): pass\n    def on(self, event, handler): pass\nbus = Bus()\n"
)
API: dict[str, object] = {
    "id": "bus",
    "classes": ["bus.Bus"],
    "enums": ["bus.E"],
    "produce": ["send(event)"],
    "consume": ["on(event, handler)"],
}
SENT = ("m", "<module>", "produce", "bus.Bus.send", "bus.E.A", "static", "", "")
TAKEN = ("m", "<module>", "consume", "bus.Bus.on", "bus.E.B", "static", "m.h", "<default>")


def on(text: str, **changes: object) -> Measurement:
    files = {"bus.py": BUS, "m.py": f"from bus import bus, E\ndef h(): pass\n{text}"}
    return measured(GATE, files, apis=[{**API, **changes}])


def test_a_producer_and_a_consumer_are_facts_with_their_words() -> None:
    measure = on("bus.send(E.A)\nbus.send(E.A)\nbus.on(E.B, h)\n")
    assert measure.counts == {SENT: 2, TAKEN: 1}
    assert measure.describe(SENT).what == "m sends bus.E.A by bus.Bus.send"
    assert measure.describe(TAKEN).what == "m has m.h take bus.E.B by bus.Bus.on"
    assert (measure.describe(SENT).rule, measure.describe(TAKEN).rule) == ("ABT681", "ABT682")


def test_consumers_have_to_be_reviewed_and_producers_may_be_recorded() -> None:
    measure = on("")
    assert measure.reviewed_only(TAKEN)
    assert not measure.reviewed_only(SENT)


@pytest.mark.parametrize(
    ("text", "rule", "clause"),
    [
        ("def f(e): bus.send(e)\n", "ABT683", "m, in f, sends events that cannot be seen by bus.Bus.send"),
        ("bus.send(E.A if x() else y())\n", "ABT683", "m sends others that cannot be seen, bus.E.A by bus.Bus.send"),
        ("bus.send(E.C)\n", "ABT684", "m sends bus.E.C by bus.Bus.send"),
        ("def f(e): bus.on(e, h)\n", "ABT683", "m, in f, has m.h take events that cannot be seen by bus.Bus.on"),
    ],
)
def test_what_cannot_be_seen_and_what_is_no_event_have_their_rules(text: str, rule: str, clause: str) -> None:
    measure = on("from elsewhere import x, y\n" + text)
    (key,) = measure.counts
    assert (measure.describe(key).rule, measure.describe(key).what) == (rule, clause)


def test_who_is_alone_is_told_and_the_totals() -> None:
    assert on("bus.send(E.A)\nbus.on(E.B, h)\n").notes == (
        "produced, never consumed: bus.E.A.",
        "consumed, never produced: bus.E.B.",
        "names of events: 2; producers: 1 (1 static); consumers: 1 (1 static).",
    )
    assert on("bus.send(E.A)\nbus.on(E.A, h)\n").notes == (
        "names of events: 1; producers: 1 (1 static); consumers: 1 (1 static).",
    )


@pytest.mark.parametrize(
    ("changes", "text"),
    [({"consume": []}, "bus.send(E.A)\n"), ({"produce": []}, "bus.on(E.A, h)\n")],
)
def test_nobody_is_alone_whose_other_side_is_outside_of_the_code(changes: dict[str, object], text: str) -> None:
    assert [note.partition(":")[0] for note in on(text, **changes).notes] == ["names of events"]


def test_an_event_that_nobody_can_see_may_be_any_of_the_lonely_ones() -> None:
    notes = on("bus.on(E.B, h)\ndef f(e): bus.send(e)\n").notes
    assert notes[0] == "consumed, never produced (but for 1 dynamic producer): bus.E.B."


def test_what_no_event_is_is_neither_produced_nor_missed() -> None:
    assert on("bus.send(E.C)\n").notes == (
        "names of events: 0; producers: 1 (1 invalid); consumers: 0.",
    )  # fmt: skip


def test_a_call_that_python_refuses_is_not_judged() -> None:
    assert on("bus.send()\nbus.on(E.A)\n").counts == {}


def test_no_approval_makes_an_event_of_what_its_enum_lacks() -> None:
    files = {"bus.py": BUS, "m.py": "from bus import bus, E\nbus.send(E.C)\n"}
    key = ("m", "<module>", "produce", "bus.Bus.send", "bus.E.C", "invalid", "", "")
    known = ("m", "<module>", "produce", "bus.Bus.send", "bus.E.A", "static", "", "")
    grants = Grants(approvals=tuple(approval(one) for one in (key, known)))
    (fault,) = measured(GATE, files, grants, apis=[API]).faults
    assert fault.line_text() == (
        "law/events.toml:3: an event that its enum does not have cannot be approved. "
        "Name a member of the enum in the code."
    )


def approval(key: Key) -> Approval:
    return Approval(key, 1, "exception", "mail", "so it is", None, None, None, False, Site("law/events.toml", 3))


@pytest.mark.parametrize(
    ("was", "now", "kinds"),
    [
        (TAKEN, "bus.on(E.B, h)\n", []),
        (TAKEN, "\n\nbus.on(E.B, h)\n", []),  # a moved line is the same registration
        (TAKEN, "bus.on(E.A, h)\n", [Kind.GONE, Kind.NEW]),  # as many, and another
        (TAKEN, "bus.on(E.B, print)\n", [Kind.GONE, Kind.NEW]),
        (TAKEN, "def f(e): bus.on(e, h)\n", [Kind.GONE, Kind.NEW]),  # static is not dynamic
        (TAKEN, "bus.on(E.B, h)\nbus.on(E.B, h)\n", [Kind.GROWN]),
        (TAKEN, "", [Kind.GONE]),
    ],
)
def test_what_was_reviewed_is_held_exactly(was: Key, now: str, kinds: list[Kind]) -> None:
    verdict = judge(GATE.terms("law"), on(now), Grants(approvals=(approval(was),)), date(2027, 1, 1))
    assert sorted(one.kind for one in verdict.violations) == kinds


def test_a_recorded_consumer_is_no_reviewed_one() -> None:
    grants = Grants(recorded=(Recorded(TAKEN, 1, 2),))
    verdict = judge(GATE.terms("law"), on("bus.on(E.B, h)\n"), grants, date(2027, 1, 1))
    assert Kind.NEW in {one.kind for one in verdict.violations}


def test_a_module_left_out_is_not_judged() -> None:
    files = {
        "bus.py": BUS,
        "m.py": "from bus import bus, E\nbus.send(E.A)\n",
        "plugins/p.py": "from bus import bus, E\nbus.send(E.A)\n",
    }
    assert [key[0] for key in measured(GATE, files, apis=[API], exclude=["plugins"]).counts] == ["m"]


def test_names_that_are_nothing_leave_the_gate_unjudged() -> None:
    assert [fault.message for fault in on("", classes=["bus.Bos"], enums=["bus.F"]).faults] == [
        "events.apis[0].classes[0]: the code defines no bus.Bos.",
        "events.apis[0].enums[0]: the code defines no bus.F.",
    ]


def test_a_gate_without_apis_is_not_judged() -> None:
    assert [fault.message for fault in measured(GATE, "").faults] == ["events has no APIs."]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"classes": []}, "one of classes, instances, factories, ports has to be there"),
        ({"produce": [], "consume": []}, "one of produce, consume, decorate has to be there"),
        ({"produce": ["send"]}, "'send' is no method with its parameters"),
        ({"produce": ["send(event)", "send(x)"]}, "'send' is there twice"),
        ({"many": ["listen"]}, "'listen' is none of the methods"),
        ({"event": "nothing"}, "event: 'nothing' is a parameter of none of the methods"),
        ({"priority": 3}, "priority: expected text, found 3"),
        ({"kind": "x"}, "kind: unknown key"),
    ],
)
def test_a_wrong_api_is_said(changes: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, {"apis": [{**API, **changes}]})
    assert message in str(refusal.value)


def test_an_id_is_given_once() -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, {"apis": [API, API]})
    assert "'bus' is the id of another API, too" in str(refusal.value)

"""How are ways out held, and what may an approval say?"""

from __future__ import annotations

from datetime import date

import pytest

from abutment.errors import NotJudged
from abutment.gates.egress import GATE
from abutment.model.grants import Approval, Grants, Recorded
from abutment.model.identity import Key
from abutment.model.site import Site
from abutment.model.violation import Kind
from abutment.verdicts.judge import judge
from tests.families import measured
from tests.settings import settings_of

GET: Key = ("m", "f", "requests", "raw_transport", "get")
IMPORT: Key = ("m", "<module>", "requests", "raw_transport", "import")
ONE = "import requests\ndef f(): requests.get('')"
TWO = "import requests\ndef f(): requests.get(''); requests.get('')"


def recorded(**counts: int) -> Grants:
    keys = {"get": GET, "import_": IMPORT}
    return Grants(recorded=tuple(Recorded(keys[name], count, 2) for name, count in counts.items()))


def approval(klass: str, reason: str) -> Approval:
    tracking = "NET-1" if klass == "debt" else None
    return Approval(GET, 1, klass, "net", reason, tracking, "no calls", None, False, Site("law/egress.toml", 3))


def told(text: str, grants: Grants) -> list[tuple[Kind, str, str]]:
    verdict = judge(GATE.terms("law"), measured(GATE, text, grants), grants, date(2027, 1, 1))
    return [(one.kind, one.rule, one.what) for one in verdict.violations]


def test_a_use_is_counted_by_module_function_provider_kind_and_operation() -> None:
    assert measured(GATE, TWO).counts == {IMPORT: 1, GET: 2}


def test_a_construction_is_not_counted() -> None:
    assert measured(GATE, "import requests\nrequests.Session()").counts == {IMPORT: 1}


def test_one_more_use_of_the_same_is_grown_and_another_is_new() -> None:
    grants = recorded(get=1, import_=1)
    said = "m, in f, reaches the network by requests.get"
    assert told(TWO, grants) == [(Kind.GROWN, "ABT602", said)]
    other = f"{ONE}\ndef g(): requests.get('')"
    assert told(other, grants) == [(Kind.NEW, "ABT602", "m, in g, reaches the network by requests.get")]
    assert told(ONE, grants) == []


def test_growth_of_one_edge_is_not_paid_by_another() -> None:
    text = "import requests, httpx\ndef f(): httpx.get(''); httpx.get('')"
    keys = [("m", "f", "httpx", "raw_transport", "get"), GET, IMPORT, (*IMPORT[:2], "httpx", *IMPORT[3:])]
    grants = Grants(recorded=tuple(Recorded(key, 1, 2) for key in keys))
    assert [kind for kind, _rule, _what in told(text, grants)] == [Kind.GONE, Kind.GROWN]


def test_an_import_reads_as_one() -> None:
    assert told("import requests", Grants()) == [
        (Kind.NEW, "ABT601", "m imports requests, which gives access to the network")
    ]
    assert told("import xmlrpc.client\nxmlrpc.client.ServerProxy('')", Grants()) == [
        (Kind.NEW, "ABT602", "m reaches the network by xmlrpc.client.ServerProxy")
    ]


def test_a_violation_shows_what_its_edge_has_in_all() -> None:
    evidence = measured(GATE, f"{ONE}\ndef g(): requests.get('')", recorded(get=1, import_=1)).describe(GET)
    assert evidence.details == ("the edge m -> requests (raw_transport) has 3, granted 2",)
    other = f"{ONE.replace('def f', 'def g')}"  # as many as before, and another
    assert measured(GATE, other, recorded(get=1, import_=1)).describe(("m", "g", *GET[2:])).details == ()


def test_a_computed_operation_can_be_approved() -> None:
    found = measured(GATE, "import requests\ndef f(verb): getattr(requests, verb)('')")
    (key,) = (key for key in found.counts if key != IMPORT)
    assert key == ("m", "f", "requests", "raw_transport", "?")
    assert "*" not in "".join(key), "an approval may hold no wildcard"


def test_edges_are_totalled() -> None:
    text = "import requests, boto3\nrequests.get('')"
    assert measured(GATE, text).notes == (
        "network edges (module, target): 2, of which 1 network_sdk, 1 raw_transport.",
    )
    assert measured(GATE, "").notes == ()


REASONS = ["transport", "streaming"]


@pytest.mark.parametrize(
    ("klass", "reason", "said"),
    [
        ("exception", "transport: the one client", ""),
        ("exception", "streaming: a feed", ""),
        ("exception", "the one client", "begins with none of egress.reasons"),
        ("exception", "vendor: not ours", "begins with none of egress.reasons"),
        ("exception", "transport", "begins with none of egress.reasons"),  # a code alone says nothing
        ("exception", "transport: ", "begins with none of egress.reasons"),
        ("exception", "Transport: the one client", "begins with none of egress.reasons"),
        ("debt", "goes when the queue is there", ""),
        ("debt", "note: goes when the queue is there", ""),
        ("debt", "transport: the one client", "'transport' is the reason of an exception, and this is a debt"),
    ],
)
def test_a_reason_belongs_to_its_class(klass: str, reason: str, said: str) -> None:
    grants = Grants(approvals=(approval(klass, reason),))
    faults = measured(GATE, ONE, grants, reasons=REASONS).faults
    assert [(fault.path, fault.line, said in fault.message) for fault in faults] == (
        [("law/egress.toml", 3, True)] if said else []
    )


def test_without_a_list_a_reason_is_any_words() -> None:
    assert measured(GATE, ONE, Grants(approvals=(approval("exception", "so it is"),))).faults == ()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"exlude": ["a"]}, "exlude: unknown key"),
        ({"reasons": ["a:b"]}, "egress.reasons[0]: 'a:b' is no code"),
        ({"reasons": [" a"]}, "' a' is no code"),
        ({"not_network": ["nothing"]}, "'nothing' is in none of the built-in lists"),
        ({"raw_transports": "a"}, "expected a list"),
    ],
)
def test_a_wrong_setting_is_said(table: dict[str, object], message: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        settings_of(GATE, table)
    assert message in str(refusal.value)


def test_the_lists_can_be_changed() -> None:
    assert measured(GATE, "import requests", not_network=["requests"]).counts == {}
    text = "import wires\nwires.open_wire().send('')"
    made = measured(GATE, text, raw_transports=["wires"], factories=["open_wire"]).counts
    assert {key[-1] for key in made} == {"import", "open_wire", "open_wire.send"}


def test_a_module_left_out_is_not_judged() -> None:
    assert measured(GATE, {"a.py": ONE, "b.py": ONE}, exclude=["a"]).counts.keys() == {
        ("b", *IMPORT[1:]),
        ("b", *GET[1:]),
    }

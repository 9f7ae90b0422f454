"""Runs as awkward as they come: every report is held against all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.model.violation import Kind, Violation
from abutment.verdicts.verdict import FileAccount, Run, Status, Verdict

BASELINE = "fixtures/architecture/boundaries.jsonl"
POLICY = "fixtures/architecture/boundaries.toml"
FILES = FileAccount(6, (("hidden", 1), ("ignored by .gitignore", 2)), (), "CPython 3.11", ("src",))


def make_violation(**given: Any) -> Violation:
    """Return a violation; what is not given is a new import of httpx in app/sync.py."""
    plain = Violation(
        gate="boundaries",
        rule="ABT302",
        kind=Kind.NEW,
        identity=(("contract", "web"), ("importer", "app.sync"), ("imported", "httpx")),
        found=1,
        granted=0,
        what="app.sync imports httpx",
        document=BASELINE,
        remedy=f"Import adapters.network instead, or have it approved in {POLICY}.",
        sites=(Site("app/sync.py", 41, 5, 41, 17),),
    )
    return replace(plain, **given)


def make_verdict(*violations: Violation, **given: Any) -> Verdict:
    """Return a verdict on boundaries, broken where there are violations."""
    status = Status.BROKEN if violations else Status.HELD
    plain = Verdict("boundaries", status, violations, facts=41, granted=40, looked_at=6901, unit="imports")
    return replace(plain, **given)


def make_run(*verdicts: Verdict, **given: Any) -> Run:
    """Return a run over a small tree."""
    return replace(Run("0.1.0", "/somewhere", verdicts, FILES), **given)


def _every_kind() -> tuple[Violation, ...]:
    counts = {
        Kind.NEW: (1, 0),
        Kind.GROWN: (3, 2),
        Kind.RETURNED: (1, 0),
        Kind.EXPIRED: (1, 0),
        Kind.GONE: (0, 1),
        Kind.SHRUNK: (1, 3),
        Kind.LOOSENED: (2, 1),
    }
    return tuple(
        make_violation(
            kind=kind,
            found=found,
            granted=granted,
            identity=(("importer", f"app.{kind}"), ("imported", "httpx")),
            what=f"app.{kind} imports httpx",
            sites=(Site(BASELINE if kind.stale else f"app/{kind}.py", 10 + found),),
        )
        for kind, (found, granted) in counts.items()
    )


def _strange() -> tuple[Violation, ...]:
    return (
        make_violation(
            identity=(("importer", "a b"), ("imported", "x|`y`")),
            what="a b imports `x|y`, <b>100 %</b> of [it](now) with \x1b[31mred\x1b[0m and a\nnewline",
            sites=(
                Site("a b/100%, été:π|`.py", 3, 1, 5, 9),
                Site("dir\nwith newline/\udcff.py", 7, 2, 7, 8, "Klass.method"),
                Site("#1.py", 0),
            ),
            details=("app.a -> app.b\r\napp.b -> app.c", "\u202eesrever"),
            owners=("@org/team", "someone@example.org"),
        ),
        make_violation(identity=(("importer", "no.sites"),), what="no.sites imports httpx", sites=(), found=2),
        make_violation(identity=(("importer", "nowhere"),), what="nowhere is", sites=(), document="", remedy=""),
        make_violation(identity=(("importer", "command"),), sites=(Site("::error file=x::y/a.py", 1),)),
        make_violation(identity=(("importer", "line"),), sites=(Site("app/zero.py", 0, 0),)),
    )


def _many(number: int, files: int) -> tuple[Violation, ...]:
    return tuple(
        make_violation(
            identity=(("importer", f"app.m{index}"), ("imported", "httpx")),
            what=f"app.m{index} imports httpx",
            sites=(Site(f"app/m{index % files}.py", index + 1),),
        )
        for index in range(number)
    )


_UNREAD = Fault("app/bad.py", 3, "invalid syntax", "Mend it, or exclude the file.")
_RUNS: dict[str, Run] = {
    "held": make_run(make_verdict(), make_verdict(gate="cycles", unit="modules", looked_at=6)),
    "kinds": make_run(make_verdict(*_every_kind()), idle_gates=("snapshot", "egress")),
    "strange": make_run(make_verdict(*_strange())),
    "many in few files": make_run(make_verdict(*_many(25, 3))),
    "many in many files": make_run(make_verdict(*_many(400, 400))),
    "ten": make_run(make_verdict(*_many(10, 10))),
    "repeated": make_run(make_verdict(make_violation(), make_violation(sites=(Site("app/sync.py", 50),)))),
    "tolerated": make_run(
        make_verdict(
            tolerated=(make_violation(kind=Kind.GONE, found=0, granted=1, sites=(Site(BASELINE, 7),)),),
            warnings=(f"{POLICY}:12: boundaries: the approval for x, y runs out on 2030-01-01 (owner @team, #7).",),
            notes=("debt per tracking:\nADR-12: 3", "100 % | `held`"),
        )
    ),
    "not judged": make_run(
        make_verdict(make_violation(), status=Status.NOT_JUDGED, faults=(_UNREAD,)),
        make_verdict(gate="cycles", status=Status.NOT_JUDGED, faults=(_UNREAD, Fault("", 0, "looked at nothing"))),
        make_verdict(gate="blindspots", unit="modules"),
        files=replace(FILES, not_judged=(_UNREAD, Fault("tests/odd.py", 0, "unreadable\nreally"))),
    ),
    "no cause": make_run(make_verdict(status=Status.NOT_JUDGED)),
    "unread but held": make_run(make_verdict(), files=replace(FILES, not_judged=(_UNREAD,))),
    "nothing judged": make_run(files=FileAccount(0, (), (), "")),
    "configuration": make_run(
        files=FileAccount(0, (), (), ""),
        faults=(Fault("pyproject.toml", 12, "gates: there is no gate 'x'.", "Known gates: y."), Fault("", 0, "é%")),
    ),
    "followed": make_run(
        make_verdict(
            make_violation(),
            *(replace(each, follows=True, leader=make_violation().fingerprint) for each in _many(25, 3)),
        ),
        unasked_gates=("cycles",),
        notices=(Fault("abutment.toml", 9, "1 contract is written, but nobody judges it."),),
    ),
    "narrowed": make_run(make_verdict(make_violation()), narrowed="--changed origin/main"),
}


@pytest.fixture
def violation() -> Callable[..., Violation]:
    return make_violation


@pytest.fixture
def verdict() -> Callable[..., Verdict]:
    return make_verdict


@pytest.fixture
def a_run() -> Callable[..., Run]:
    return make_run


@pytest.fixture
def runs() -> Mapping[str, Run]:
    return _RUNS


@pytest.fixture(params=sorted(_RUNS))
def run(request: pytest.FixtureRequest) -> Run:
    """Each of the awkward runs in turn."""
    return _RUNS[request.param]


@dataclass(frozen=True)
class ARule:
    """A rule as reports see it."""

    id: str
    name: str
    summary: str


@dataclass(frozen=True)
class AGate:
    """A gate as reports see it."""

    name: str
    question: str
    remedy: str
    rules: tuple[ARule, ...]


@pytest.fixture
def gate() -> AGate:
    return AGate(
        "boundaries",
        "Which module may import which?",
        "Go through the interface, or have it approved in {policy}; paid debt goes from {baseline}.",
        (
            ARule("ABT301", "layers", "A lower layer imports a higher one."),
            ARule("ABT302", "forbidden", "A module imports what its contract forbids."),
        ),
    )

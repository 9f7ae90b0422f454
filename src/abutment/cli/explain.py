"""`abutment explain RULE|GATE|FINGERPRINT`: what does a rule mean, and what is known of one fact?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path

import click

from abutment.cli.inputs import input_options
from abutment.cli.law import bench
from abutment.cli.opening import Opening, foreign_gates, opening_options
from abutment.cli.terminal import Streams
from abutment.errors import UnknownName
from abutment.gates import TABLE, own_gates
from abutment.gates.gate import Gate
from abutment.guard.rules import GUARD
from abutment.model.fault import Fault
from abutment.model.grants import Approval
from abutment.model.identity import Key, fingerprint, named
from abutment.model.measurement import Evidence, Unused
from abutment.model.site import Site
from abutment.reports.explain import render_fact, render_rule
from abutment.reports.rules import GateText, RuleText
from abutment.run import Measured

SHORTEST = 8  # hexadecimal digits of a fingerprint that are worth looking for


@click.command("explain")
@click.argument("what", metavar="RULE|GATE|FINGERPRINT")
@opening_options
@input_options()
def command(opening: Opening, what: str) -> int:
    """Explain a rule (ABT301, or its name), a gate (boundaries), or a fact by the first digits of its fingerprint."""
    streams = Streams()
    rule = _rule(what, (*own_gates(), GUARD)) or _rule(what, foreign_gates(opening))
    if rule is not None:
        streams.emit(render_rule(rule[0], rule[1], page_of(rule[0].name)))
        return 0
    texts: tuple[GateText, ...] = (*own_gates(), GUARD, *foreign_gates(opening))
    gate = next((gate for gate in texts if gate.name == what), None)
    if gate is not None:
        streams.emit(f"{page_of(what).strip() or gate.question}\n")
        return 0
    if not re.fullmatch(rf"[0-9a-f]{{{SHORTEST},64}}", what):
        known = f"Rules: `abutment list rules`. A fingerprint has at least {SHORTEST} digits 0-9 a-f."
        raise UnknownName(Fault("", 0, f"there is no rule and no gate {what!r}.", known))
    found = list(_facts(opening, what))
    if not found:
        raise UnknownName(
            Fault("", 0, f"no fact and no grant has the fingerprint {what}.", "`abutment check --verbose` shows them.")
        )
    streams.emit("".join(found))
    return 0


def _rule(what: str, gates: Iterable[GateText]) -> tuple[GateText, RuleText] | None:
    for gate in gates:
        for rule in gate.rules:
            if what.upper() == rule.id.upper() or what == rule.name:
                return gate, rule
    return None


def page_of(gate: str) -> str:
    """Return the gate's page, from the installed package or, in a checkout, from the documents; "" for a user's."""
    packed = files("abutment") / "pages" / f"{gate}.md"
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    page = Path(__file__).parents[3] / "docs" / "gates" / f"{gate}.md"
    return page.read_text(encoding="utf-8") if gate in (*TABLE, GUARD.name) else ""


def _facts(opening: Opening, digits: str) -> Iterator[str]:
    """Yield what is known of each fact, and of each allowance that matches none, whose fingerprint begins so."""
    for measured in bench(opening, ()).gates:
        gate, grants = measured.gate, measured.law.grants
        keys = {*measured.measurement.counts, *(a.key for a in grants.approvals), *(r.key for r in grants.recorded)}
        yield from (_fact(measured, key) for key in sorted(keys) if _fingerprint(gate, key).startswith(digits))
        idle = sorted(measured.measurement.unused, key=lambda one: (one.key, one.evidence.sites))
        yield from (_idle(measured, one) for one in idle if _fingerprint(gate, one.key).startswith(digits))


def _fingerprint(gate: Gate, key: Key) -> str:
    return fingerprint(gate.name, named(gate.fields, key))


def _who(approval: Approval) -> str:
    return "a comment" if approval.in_place else f"{approval.klass} of {approval.owner}"


def _fact(measured: Measured, key: Key) -> str:
    grants, terms = measured.measurement.completed(measured.law.grants), measured.law.terms
    granted = [(f"{a.site.place()} ({_who(a)}: {a.reason})", a.count) for a in grants.approvals if a.key == key]
    granted += [(f"{terms.baseline}:{entry.line}", entry.count) for entry in grants.recorded if entry.key == key]
    evidence = measured.measurement.describe(key)
    return _told(measured, key, evidence, evidence.sites, granted)


def _idle(measured: Measured, unused: Unused) -> str:
    """Return what is known of an allowance that matches nothing: its places grant, and the code has none."""
    return _told(measured, unused.key, unused.evidence, (), [(site.place(), 1) for site in unused.evidence.sites[:1]])


def _told(
    measured: Measured, key: Key, evidence: Evidence, sites: Sequence[Site], granted: Sequence[tuple[str, int]]
) -> str:
    gate, terms = measured.gate, measured.law.terms
    return render_fact(
        gate=gate,
        rule=gate.rule(evidence.rule),
        what=evidence.what,
        fingerprint=_fingerprint(gate, key),
        identity=named(gate.fields, key),
        found=measured.measurement.counts.get(key, 0),
        sites=sites,
        granted=granted,
        details=evidence.details,
        remedy=evidence.remedy.replace("{policy}", terms.policy).replace("{baseline}", terms.baseline),
    )

"""`abutment list`: what gates, rules, contracts, modules and grants are there?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from abutment.baselines.reading import read_documents
from abutment.cli.inputs import input_options
from abutment.cli.opening import Opening, foreign_gates, opening_options
from abutment.cli.terminal import Streams
from abutment.config import Config
from abutment.gates import TABLE, load_gates, own_gates
from abutment.guard.rules import GUARD
from abutment.model.identity import key_text
from abutment.reports.rules import GateText
from abutment.run import read_all_settings
from abutment.verdicts.law import law_of


def _gates(opening: Opening) -> Iterator[str]:
    config = opening.one()
    read_all_settings(config, ())
    for gate in load_gates(dict.fromkeys((*TABLE, *config.gates)), config.gate_site):
        state = "on" if gate.name in config.gates else "off"
        yield f"{gate.name} ({state}, {gate.direction}): {gate.question}"
    yield f"{GUARD.name} (when asked: `check guard`, or `check --against REF`): {GUARD.question}"


def _rules(opening: Opening) -> Iterator[str]:
    texts: tuple[GateText, ...] = (*own_gates(), GUARD, *foreign_gates(opening))
    for gate in texts:
        yield from (f"{rule.id} {rule.name} ({gate.name}): {rule.summary}" for rule in gate.rules)


def _contracts(opening: Opening) -> Iterator[str]:
    config = opening.one()
    for contract in read_all_settings(config, ())["boundaries"].contracts:
        yield f"{contract.id} ({contract.kind.name}): {contract.site.place()}"


def _modules(opening: Opening) -> Iterator[str]:
    program = opening.project(opening.one()).program
    yield from (f"{module.name} ({module.kind.value}): {module.path}" for module in program.modules.values())


def _grants(opening: Opening) -> Iterator[str]:
    config = opening.one()
    read_all_settings(config, ())
    yield from _of_every_gate(opening, config)


def _of_every_gate(opening: Opening, config: Config) -> Iterator[str]:
    documents = read_documents(opening.tree(config), config.documents)
    for gate in load_gates(config.gates, config.gate_site):
        law = law_of(documents, gate.terms(config.documents))
        for approval in law.grants.approvals:
            what = key_text(gate.fields, approval.key)
            until = f", until {approval.expires}" if approval.expires else ""
            who = f"{approval.klass} of {approval.owner}{until}"
            yield f"{approval.site.place()}: {gate.name}: {what} x{approval.count}: {who}"
        for entry in law.grants.recorded:
            yield f"{law.terms.baseline}:{entry.line}: {gate.name}: {key_text(gate.fields, entry.key)} x{entry.count}"


LISTS: dict[str, Callable[[Opening], Iterator[str]]] = {
    "gates": _gates,
    "rules": _rules,
    "contracts": _contracts,
    "modules": _modules,
    "grants": _grants,
}


SUPPRESSIONS = "suppressions"


@click.command("list")
@click.argument("what", type=click.Choice([*LISTS, SUPPRESSIONS]), default="gates")
@click.option("--suppressions", is_flag=True, help="The same as the word: what comments in the code grant.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@opening_options
@input_options()
def command(opening: Opening, what: str, suppressions: bool, form: str) -> int:
    """List gates (default), rules, contracts, modules, grants or suppressions; one a line.

    Suppressions are comments in the code (`# abutment: ignore[RULE]`); of these there is JSON, too.
    """
    if suppressions or what == SUPPRESSIONS:
        return _suppressions(opening, form)
    if form != "text":
        raise click.UsageError("--format json goes with `list suppressions`")
    lines = list(LISTS[what](opening))
    Streams().emit("".join(f"{line}\n" for line in lines))
    return 0


def _suppressions(opening: Opening, form: str) -> int:
    from abutment.cli.suppressions import as_json, as_text, listed

    rows, status = listed(opening)
    Streams().emit(as_json(rows) if form == "json" else as_text(rows))
    return status

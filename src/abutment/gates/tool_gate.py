"""How does a gate hold what another tool says?

A tool's reader asks the tool and proves that its answer is whole; what all such gates share stands here: facts that
are told apart by what is said of which function, the ratchet over them, and the conditions under which they hold.
`docs/tools.md` shows how a tool is added in a package of a user's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from abutment.errors import NotJudged
from abutment.facts.diagnostics import Said, scan_said
from abutment.gates.gate import Facts, Gate, Rule, place_words
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import Loosening
from abutment.model.measurement import Conditions, Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.tools.diagnostic import Report
from abutment.sources.tools.place import folder_of
from abutment.sources.tree import Tree

FIELDS = ("module", "qualname", "code", "message")


@dataclass(frozen=True, slots=True)
class Asked:
    """A tool's answer, and the tree that it is about."""

    settings: Any
    report: Report
    tree: Tree

    def facts(self, program: Program) -> Iterator[Said]:
        """Yield what the tool says, by function."""
        return scan_said(program, self.report.diagnostics, partial(_source, self.tree))


def _source(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path)
    except NotJudged:
        return None  # a file outside of the root, or one that the tool made up: what is said of it stands for itself


def _explains_all(_settings: Any, _before: Conditions, _now: Conditions) -> Callable[[Key], bool]:
    return lambda _key: True


def tool_gate(
    *,
    name: str,
    question: str,
    rule: Rule,
    remedy: str,
    ask: Callable[[Any, Path], Report],
    read_settings: Callable[[TableReader], Any],
    loosening: Loosening,
    explains: Callable[[Any, Conditions, Conditions], Callable[[Key], bool]] = _explains_all,
    needs_configuration: bool = True,
) -> Gate:
    """Return a gate over what a tool says of the code.

    `ask` runs the tool in a folder, or reads what was kept of its output, and raises NotJudged unless the answer is
    proven to be whole. `explains` says of the conditions of a record and those of today which keys may differ because
    of them.
    """

    def prepare(settings: Any, tree: Tree) -> Asked:
        return Asked(settings, ask(settings, folder_of(tree)), tree)

    def measure(program: Program, asked: Asked, _grants: Grants) -> Measurement:
        sites: dict[Key, list[Site]] = defaultdict(list)
        for one in asked.facts(program):
            sites[one.module, one.qualname, one.code, one.message].append(one.site)

        def describe(key: Key) -> Evidence:
            module, qualname, code, message = key
            return Evidence(
                rule.id,
                f"{place_words(module, qualname)} has {code}: {message}",
                tuple(sorted(sites.get(key, ()))),
                remedy=remedy,
            )

        report = asked.report
        return Measurement(
            counts={key: len(places) for key, places in sites.items()},
            describe=describe,
            looked_at=report.looked_at,
            unit="files",
            notes=report.notes,
            conditions=report.conditions,
            explains=lambda before: explains(asked.settings, before, report.conditions),
        )

    def scan(program: Program, asked: Asked) -> Iterator[Said]:
        return asked.facts(program)

    return Gate(
        name=name,
        question=question,
        direction=Direction.RATCHET,
        fields=FIELDS,
        rules=(rule,),
        remedy=remedy,
        read_settings=read_settings,
        measure=measure,
        prepare=prepare,
        module_fields=("module",),
        tombstones=False,
        needs_configuration=needs_configuration,
        facts=Facts(scan, FIELDS, attrgetter("code"), attrgetter("message")),
        loosening=loosening,
    )

"""How does a gate hold what another tool says?

A tool's reader asks the tool and proves that its answer is whole; what all such gates share stands here: facts that
are told apart by what is said of which function, the ratchet over them, and the conditions under which they hold.
`docs/tools.md` shows how a tool is added in a package of a user's own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any

from abutment.errors import NotJudged
from abutment.facts.diagnostics import Said, path_of, scan_said
from abutment.gates.gate import Facts, Gate, Rule, place_words
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import Loosening
from abutment.model.measurement import Conditions, Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.tools.diagnostic import Diagnostic, Report
from abutment.sources.tools.place import folder_of, require_inside
from abutment.sources.tree import Tree

FIELDS = ("module", "qualname", "code", "message")


@dataclass(frozen=True, slots=True)
class Clean:
    """What was said of modules of which nothing may be said: no document grants any of it."""

    modules: frozenset[str] = frozenset()
    diagnostics: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frontier:
    """Which modules have to be clean, and what is said of them."""

    rule: Rule
    remedy: str
    ask: Callable[[Any, Path, Program], Clean]  # raises NotJudged unless the answer is proven to be whole


def _nothing_else(_before: Conditions) -> Conditions:
    return {}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else an answer depends on, as the code and where it is judged tell together."""

    conditions: Conditions = field(default_factory=dict)
    bearing: Callable[[Conditions], Conditions] = _nothing_else  # the same, in so far as they bear on those of a record
    beyond: frozenset[str] = frozenset()  # those of which another one can only add to what is found
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A tool's answer, and the tree that it is about."""

    settings: Any
    report: Report
    tree: Tree
    folder: Path

    def facts(self, program: Program, clean: Clean) -> list[Said]:
        """Return what the tool says, by function."""
        every = (*self.report.diagnostics, *clean.diagnostics)
        return list(scan_said(program, sorted(every), sources_of(self.tree)))

    def beyond(self, frontier: Frontier | None, program: Program) -> Clean:
        """Return what is said of modules that have to be clean, but for what the report has already."""
        if frontier is None:
            return Clean()
        clean = frontier.ask(self.settings, self.folder, program)
        further = Counter(clean.diagnostics) - Counter(self.report.diagnostics)
        return replace(clean, diagnostics=tuple(further.elements()))


def sources_of(tree: Tree) -> Callable[[str], bytes | None]:
    """Return a function that gives the bytes of a file that a tool names, None where it cannot be read."""
    return partial(_source, tree)


def _source(tree: Tree, path: str) -> bytes | None:
    try:
        return tree.read(path)
    except NotJudged:
        return None  # a file outside of the root, or one that the tool made up: what is said of it stands for itself


def unplaced(number: int) -> str:
    """Return how many facts are told apart by less than the others; "" where there is none."""
    return f"{number} in no known function, and so counted by module, code and message" if number else ""


def _no_other_names(_settings: Any, _report: Report, _codes: frozenset[str], _folder: Path) -> Mapping[str, str]:
    return {}


def _explains_all(_settings: Any, _before: Conditions, _now: Conditions) -> Callable[[str, str], bool]:
    return lambda _path, _code: True


def _no_surroundings(_settings: Any, _folder: Path, _program: Program) -> Surroundings:
    return Surroundings()


def tool_gate(
    *,
    name: str,
    question: str,
    rule: Rule,
    remedy: str,
    ask: Callable[[Any, Path], Report],
    read_settings: Callable[[TableReader], Any],
    loosening: Loosening,
    explains: Callable[[Any, Conditions, Conditions], Callable[[str, str], bool]] = _explains_all,
    names_today: Callable[[Any, Report, frozenset[str], Path], Mapping[str, str]] = _no_other_names,
    frontier: Frontier | None = None,
    surroundings: Callable[[Any, Path, Program], Surroundings] = _no_surroundings,
    needs_configuration: bool = True,
) -> Gate:
    """Return a gate over what a tool says of the code.

    `ask` runs the tool in a folder, or reads what was kept of its output, and raises NotJudged unless the answer is
    proven to be whole. `explains` says of the conditions of a record and those of today of which files and codes facts
    may differ because of them. `names_today` says of codes under which something is granted which of them the tool
    calls otherwise today. `surroundings` says what else than the report's conditions the answer depends on.
    """

    def prepare(settings: Any, tree: Tree) -> Asked:
        folder = folder_of(tree)
        return Asked(settings, _inside(name, ask(settings, folder)), tree, folder)

    def measure(program: Program, asked: Asked, grants: Grants) -> Measurement:
        around = surroundings(asked.settings, asked.folder, program)
        clean = asked.beyond(frontier, program)
        facts = asked.facts(program, clean)
        granted = _granted(grants)
        codes = frozenset(code for _module, _qualname, code, _message in granted)
        names = names_today(asked.settings, asked.report, codes, asked.folder)
        sites = _as_granted(sites_of(facts), granted, names)

        def never(key: Key) -> bool:
            return key[0] in clean.modules

        def describe(key: Key) -> Evidence:
            module, qualname, code, message = key
            held, advice = (frontier.rule, frontier.remedy) if frontier and never(key) else (rule, remedy)
            what = f"{place_words(module, qualname)} has {code}: {message}"
            return Evidence(held.id, what, tuple(sorted(sites.get(key, ()))), remedy=advice)

        def explained(before: Conditions) -> Callable[[Key], bool]:
            differs = explains(asked.settings, before, report.conditions)
            return lambda key: differs(path_of(program, key[0]), key[2])

        report = asked.report
        return Measurement(
            counts={key: len(places) for key, places in sites.items()},
            describe=describe,
            looked_at=report.looked_at,
            unit="files",
            notes=(*report.notes, *clean.notes, *around.notes),
            beside=unplaced(sum(not one.placed for one in facts)),
            never=never,
            conditions={**report.conditions, **around.conditions},
            bearing=lambda before: {**report.conditions, **around.bearing(before)},
            beyond=around.beyond,
            explains=explained,
            hidden=partial(_is_hidden, program, asked),
        )

    def scan(program: Program, asked: Asked) -> Iterator[Said]:
        yield from asked.facts(program, asked.beyond(frontier, program))

    return Gate(
        name=name,
        question=question,
        direction=Direction.RATCHET,
        fields=FIELDS,
        rules=(rule,) if frontier is None else (rule, frontier.rule),
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


def _is_hidden(program: Program, asked: Asked, key: Key) -> bool:
    """Say whether a key is about a file that is there, and that the tool did not look at."""
    path, files = path_of(program, key[0]), asked.report.files
    return files is not None and path not in files and asked.tree.exists(path)


def _inside(name: str, report: Report) -> Report:
    """Return the report; raises NotJudged where it is about files elsewhere: what is recorded would seem to be paid."""
    require_inside(name, (one.path for one in report.diagnostics))
    return report


def sites_of(facts: Iterable[Said]) -> dict[Key, list[Site]]:
    """Return the places of facts by what tells these apart."""
    found: dict[Key, list[Site]] = defaultdict(list)
    for one in facts:
        found[one.module, one.qualname, one.code, one.message].append(one.site)
    return found


def _granted(grants: Grants) -> Counter[Key]:
    """Return for how many each key is granted, by both hands."""
    granted: Counter[Key] = Counter()
    for key, count in chain(((e.key, e.count) for e in grants.recorded), ((a.key, a.count) for a in grants.approvals)):
        granted[key] += count
    return granted


def _as_granted(
    found: Mapping[Key, list[Site]], granted: Counter[Key], names: Mapping[str, str]
) -> dict[Key, list[Site]]:
    """Return the places by key, where a rule that only has another name today is known by the name of its grant."""
    sites = {key: sorted(places) for key, places in found.items()}
    for key in sorted(granted):
        module, qualname, code, message = key
        today = (module, qualname, names.get(code, code), message)
        if today != key and today in sites:
            places = sites.pop(today)
            own = max(0, len(places) - granted[today])  # a grant under today's name stands for itself
            sites[key] = places[: min(own, granted[key])]
            sites[today] = places[len(sites[key]) :]
    return {key: places for key, places in sites.items() if places}

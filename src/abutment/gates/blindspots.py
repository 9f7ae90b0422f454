"""What can the import graph not be sure of, and is it more than was recorded?

Every other gate is only as good as the graph. So its blind spots are counted, and may not grow.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from abutment.facts.blindspots import scan_blindspots
from abutment.gates.gate import Gate, Rule, place_words
from abutment.gates.scope import Exclude, modules_in_scope, read_exclude, selects, unmatched
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Blind, Program

FIELDS = ("kind", "module", "qualname", "what")


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.blindspots]` says."""

    exclude: Exclude = ()


@dataclass(frozen=True, slots=True)
class _Text:
    """How one kind of blind spot reads."""

    rule: Rule
    what: str  # a clause with {where} and {what}
    remedy: str


_APPROVED = "or have it approved in {policy}."
_TEXTS: Mapping[str, _Text] = {
    Blind.UNRESOLVED: _Text(
        Rule("ABT101", "unresolved-import", "An import of a first-party module that does not exist."),
        "{where} imports the missing module {what}",
        f"Correct the name, delete the import, or put the module into the tree, {_APPROVED}",
    ),
    Blind.PAST_TOP: _Text(
        Rule("ABT102", "import-past-the-top", "A relative import that climbs above its top package."),
        "{where} imports {what} from above its top package",
        f"Write the import absolutely, or take dots away until it stays inside the package, {_APPROVED}",
    ),
    Blind.SHADOWED: _Text(
        Rule("ABT103", "shadowed-module", "A file that can never be imported, as another one has its name."),
        "{where} has a file that {what} hides from every import",
        f"Rename or delete one of the two files, {_APPROVED}",
    ),
    Blind.CASE_PAIR: _Text(
        Rule("ABT104", "case-pair", "Two files of one folder whose names differ by case only."),
        "{where} and {what} differ by case only",
        f"Rename one of the two, as some file systems hold them for one file, {_APPROVED}",
    ),
    Blind.DYNAMIC: _Text(
        Rule("ABT105", "dynamic-import", "An import whose module is chosen at run time."),
        "{where} imports a module chosen at run time ({what})",
        f"Write the modules out, as imports or as constants handed to import_module, {_APPROVED}",
    ),
    Blind.LOADED: _Text(
        Rule("ABT107", "loaded-code", "A file or a spec that is run past the import system."),
        "{where} runs code that no import names ({what})",
        f"Make it a module and import it, {_APPROVED}",
    ),
    Blind.MISSING_NAME: _Text(
        Rule("ABT106", "missing-name", "A name taken from a first-party module that does not have it."),
        "{where} imports the unbound name {what}",
        f"Correct the name, or bind it where it is looked for, {_APPROVED}",
    ),
}
_FOREIGN = _Text(_TEXTS[Blind.UNRESOLVED].rule, "{where}: {what} is of no known kind", "Correct the entry's `kind`.")


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(exclude=read_exclude(reader))
    reader.close()
    return settings


def measure(program: Program, settings: Settings, _grants: Grants) -> Measurement:
    """Return the program's blind spots outside of what is left out, counted by kind, module, scope and name."""
    sites: dict[Key, list[Site]] = defaultdict(list)
    for fact in scan_blindspots(program):
        if not selects(settings.exclude, fact.module):
            sites[fact.kind, fact.module, fact.qualname, fact.what].append(fact.site)

    def describe(key: Key) -> Evidence:
        kind, module, qualname, what = key
        where = place_words(module, qualname)
        text = _TEXTS.get(kind, _FOREIGN)
        clause = text.what.replace("{where}", where).replace("{what}", what)
        found = tuple(sorted(sites.get(key, ())))
        through = tuple(_elsewhere(program, key)) if found else ()
        return Evidence(text.rule.id, clause, found, remedy=text.remedy, through=through)

    return Measurement(
        counts={key: len(found) for key, found in sites.items()},
        describe=describe,
        looked_at=modules_in_scope(program, settings.exclude),
        unit="modules",
        faults=unmatched(settings.exclude, program.modules),
        notes=_totals(sites),
    )


def _elsewhere(program: Program, key: Key) -> Iterator[Site]:
    """Yield the other files that are to blame, or would be if they were there."""
    kind, module, _qualname, what = key
    if kind in (Blind.SHADOWED, Blind.CASE_PAIR):
        yield Site(what)
    elif kind == Blind.MISSING_NAME:
        lacking = program.modules.get(what.rpartition(".")[0])
        yield from (Site(lacking.path),) if lacking else ()
    elif kind == Blind.UNRESOLVED:
        yield from _missing_files(program, module, what)


def _missing_files(program: Program, importer: str, written: str) -> Iterator[Site]:
    """Yield where the module would lie that an import names, next to the nearest package that is there."""
    name = written.lstrip(".")
    level = len(written) - len(name)
    if level:
        up = level - 1 if program.modules[importer].is_package else level
        name = ".".join([*importer.split(".")[: -up or None], name])
    package, _, child = name.rpartition(".")
    while package and package not in program.modules:
        package, _, child = package.rpartition(".")
    if package and program.modules[package].is_package:
        path = program.modules[package].path
        place = f"{path.rpartition('/')[0] if path.endswith(('.py', '.pyi')) else path}/{child}"
        yield from (Site(f"{place}.py"), Site(f"{place}.pyi"), Site(place))


def _totals(sites: Mapping[Key, list[Site]]) -> tuple[str, ...]:
    totals: Counter[str] = Counter()
    for (kind, *_), found in sites.items():
        totals[kind] += len(found)
    if not totals:
        return ()
    return ("blind spots by kind: " + ", ".join(f"{totals[kind]} {kind}" for kind in sorted(totals)) + ".",)


GATE = Gate(
    name="blindspots",
    question="What can the import graph not be sure of?",
    direction=Direction.RATCHET,
    fields=FIELDS,
    module_fields=("module",),
    rules=tuple(sorted((text.rule for text in _TEXTS.values()), key=lambda rule: rule.id)),
    remedy="Write the import so that it can be followed, or have it approved in {policy}.",
    read_settings=read_settings,
    measure=measure,
)

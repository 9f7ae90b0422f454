"""Is what the project depends on locked as declared, and free of known vulnerabilities?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from abutment.errors import NotJudged
from abutment.facts.dependencies import (
    ALL,
    OUTDATED,
    OUTSIDE,
    UNHASHED,
    UNPINNED,
    VULNERABLE,
    Trouble,
    scan_pins,
    scan_vulnerabilities,
    unaudited,
)
from abutment.gates.gate import Facts, Gate, Rule
from abutment.gates.tool_settings import TOOL_KEYS, ToolSettings, read_tool_settings
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import Loosening, Permits, Requires, switch
from abutment.model.measurement import Evidence, Measurement
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program
from abutment.sources.requirements import Pin, read_pins
from abutment.sources.tools.output import SAFE_PATH, run_tool
from abutment.sources.tools.pip_audit import Audit, Vulnerability, parse_audit
from abutment.sources.tools.place import folder_of, program_of
from abutment.sources.tools.uv import ARGUMENTS, LOCK, parse_lock_check
from abutment.sources.tree import Tree
from abutment.sources.wanted import PYPROJECT, Wanted, read_wanted

FIELDS = ("kind", "package", "what")
_RULES = {
    UNPINNED: Rule("ABT071", "unpinned-dependency", "A dependency is not pinned to one version."),
    OUTSIDE: Rule("ABT072", "pin-outside", "A pin lies outside of what is declared."),
    UNHASHED: Rule("ABT073", "unhashed-pin", "A pin has no hash where others have."),
    OUTDATED: Rule("ABT074", "outdated-lock", "The lock is not what its project asks for."),
    VULNERABLE: Rule("ABT075", "known-vulnerability", "A dependency has a known vulnerability."),
}
_REMEDIES = {
    UNPINNED: "Make the requirement file anew.",
    OUTSIDE: "Make the requirement file anew.",
    UNHASHED: "Make the requirement file anew, with hashes for all.",
    OUTDATED: "Run `uv lock`.",
    VULNERABLE: "Upgrade it, or have it approved until a day in {policy}.",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.dependencies]` says."""

    tool: ToolSettings  # pip-audit's
    requirements: tuple[str, ...]  # files that pin
    groups: tuple[str, ...]  # dependency groups that these pin besides the project's own dependencies
    extras: tuple[str, ...]
    uv_lock: bool
    pip_audit: bool
    unpublished: tuple[str, ...]  # packages of which no index knows, so that nobody can ask


@dataclass(frozen=True, slots=True)
class Seen:
    """What the files say, and what the tools said."""

    wanted: tuple[Wanted, ...] = ()
    pins: tuple[tuple[str, tuple[Pin, ...]], ...] = ()  # by requirement file
    resolved: int = 0  # packages that uv resolved
    is_current: bool = True  # uv's lock
    audited: int = 0
    vulnerabilities: tuple[Vulnerability, ...] = ()

    def troubles(self, granted: Iterable[tuple[str, ...]] = ()) -> Iterator[Trouble]:
        """Yield what is wrong; an advisory goes by the id under which it is granted."""
        for path, pins in self.pins:
            yield from scan_pins(self.wanted, pins, path)
        if not self.is_current:
            yield Trouble(OUTDATED, ALL, LOCK, f"{LOCK} is not what {PYPROJECT} asks for", Site(LOCK))
        yield from scan_vulnerabilities(self.vulnerabilities, self.places, frozenset(granted))

    @property
    def places(self) -> tuple[Pin | Wanted, ...]:
        """Where packages are named, pins before what is declared."""
        return (*(pin for _path, pins in self.pins for pin in pins), *self.wanted)


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(
        tool=read_tool_settings(reader),
        requirements=reader.texts("requirements", ()),
        groups=reader.texts("groups", ()),
        extras=reader.texts("extras", ()),
        uv_lock=reader.boolean("uv_lock", False),
        pip_audit=reader.boolean("pip_audit", False),
        unpublished=reader.texts("unpublished", ()),
    )
    reader.close()
    return settings


def prepare(settings: Settings, tree: Tree) -> Seen:
    """Read the files, and ask the tools; raises NotJudged where anything of it cannot be believed."""
    if not (settings.requirements or settings.uv_lock or settings.pip_audit):
        remedy = "Name `requirements`, or switch `uv_lock` or `pip_audit` on."
        raise NotJudged(Fault("", 0, "dependencies is told to look at nothing.", remedy))
    if not tree.exists(PYPROJECT):
        remedy = "Declare in its `[project]` what the code depends on."
        raise NotJudged(Fault(PYPROJECT, 0, "is not there, so that nothing is declared.", remedy))
    wanted = read_wanted(tree.read(PYPROJECT), settings.groups, settings.extras)
    pins = tuple((path, tuple(read_pins(tree.read, path))) for path in settings.requirements)
    for path, found in pins:
        if not found:
            raise NotJudged(Fault(path, 0, "requires nothing at all."))
    resolved, is_current = _asked_uv(folder_of(tree), settings) if settings.uv_lock else (0, True)
    seen = Seen(wanted, pins, resolved, is_current)
    audit = _audited(settings, folder_of(tree), seen) if settings.pip_audit else Audit(frozenset(), {}, ())
    return Seen(wanted, pins, resolved, is_current, len(audit.looked_at), audit.vulnerabilities)


def _asked_uv(folder: Path, settings: Settings) -> tuple[int, bool]:
    return parse_lock_check(
        run_tool("uv", (program_of("uv", folder), *ARGUMENTS), folder, seconds=settings.tool.seconds)
    )


def _audited(settings: Settings, folder: Path, seen: Seen) -> Audit:
    """Return what pip-audit says of the requirement files, else of the environment; raises NotJudged if not of all."""
    command = (*settings.tool.called("pip_audit", folder), *_arguments(seen))
    audit = parse_audit(settings.tool.output("pip-audit", command, folder, SAFE_PATH))
    skipped = [f"{name} ({why})" for name, why in audit.skipped.items() if name not in settings.unpublished]
    if skipped:
        remedy = "Where no index knows it, name it in `unpublished`."
        raise NotJudged(Fault("", 0, f"pip-audit did not look at {'; '.join(skipped)}.", remedy))
    named = [pin for _path, pins in seen.pins for pin in pins] or seen.wanted
    missing = unaudited(named, {*audit.looked_at, *settings.unpublished})
    if missing:
        raise NotJudged(
            Fault("", 0, f"pip-audit says nothing of {', '.join(missing)}.", "Audit where it is installed.")
        )
    return audit


def _arguments(seen: Seen) -> Sequence[str]:
    common = ("--format", "json", "--progress-spinner", "off")
    if not seen.pins:
        return common
    hashed = all(pin.is_hashed for _path, pins in seen.pins for pin in pins)
    files = [word for path, _pins in seen.pins for word in ("--requirement", path)]
    return (*common, *(("--require-hashes",) if hashed else ("--no-deps",)), "--disable-pip", *files)


def measure(_program: Program, seen: Seen, grants: Grants) -> Measurement:
    """Return each trouble as one fact (kind, package, what)."""
    found: dict[Key, list[Trouble]] = defaultdict(list)
    for trouble in seen.troubles(approval.key for approval in grants.approvals):
        found[trouble.kind, trouble.package, trouble.what].append(trouble)

    def describe(key: Key) -> Evidence:
        kind, package, what = key
        rule = _RULES.get(kind, _RULES[VULNERABLE])
        troubles = found.get(key, ())
        said = troubles[0].said if troubles else f"{package} is no longer {kind} ({what})"
        sites = sorted({trouble.site for trouble in troubles if trouble.site.path})
        return Evidence(rule.id, said, tuple(sites), remedy=_REMEDIES.get(kind, ""))

    pins = sum(len(pins) for _path, pins in seen.pins)
    return Measurement(
        counts={key: len(troubles) for key, troubles in found.items()},
        describe=describe,
        looked_at=pins + seen.resolved + seen.audited,
        unit="packages",
    )


def scan(_program: Program, seen: Seen) -> Iterator[Trouble]:
    """Yield every trouble."""
    yield from seen.troubles()


GATE = Gate(
    name="dependencies",
    question="Is what the project depends on locked as declared, and free of known vulnerabilities?",
    direction=Direction.EXACT,
    fields=FIELDS,
    rules=tuple(_RULES.values()),
    remedy="Mend it, or have it approved until a day in {policy}.",
    read_settings=read_settings,
    measure=measure,
    prepare=prepare,
    tombstones=False,
    needs_configuration=True,
    asks_expiry=True,
    facts=Facts(scan, FIELDS, attrgetter("kind"), attrgetter("what")),
    loosening=Loosening(
        {
            **TOOL_KEYS,
            "requirements": Requires(),
            "groups": Requires(),
            "extras": Requires(),
            "uv_lock": switch(False),
            "pip_audit": switch(False),
            "unpublished": Permits(dotted=False),
        }
    ),
)

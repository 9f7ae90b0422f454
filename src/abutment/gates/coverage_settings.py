"""What is configured for coverage?"""

from __future__ import annotations

from dataclasses import dataclass

from abutment.facts.coverage import BRANCHES, STATEMENTS
from abutment.gates.scope import Exclude, PlacedSelectors, read_exclude, read_selectors
from abutment.gates.tool_settings import TOOL_KEYS, ToolSettings, read_tool_settings
from abutment.model.loosening import EXCLUDE, AtLeast, Changes, Loosening, Requires, Tables
from abutment.model.percent import Percent, exact_percent
from abutment.model.reading import TableReader, shown
from abutment.model.site import Site

REPORT = "coverage.json"
MEASURES = (STATEMENTS, BRANCHES)


@dataclass(frozen=True, slots=True)
class Floor:
    """A share of what is to be covered, and where it is set."""

    percent: Percent
    site: Site


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that are counted together."""

    name: str
    modules: PlacedSelectors
    floor: Floor | None
    key: str  # "coverage.groups[0]"
    site: Site


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.coverage]` says."""

    tool: ToolSettings  # how coverage.py is called, where it has to make the report; or what is read for this once
    report: str  # a JSON report, relative to the root
    data: str  # a data file of which the report is made instead, relative to the root; "" where it is read
    measures: tuple[str, ...]  # what is held against the record
    floor: Floor | None
    changed_floor: Floor | None
    base: str  # with which branch changed lines are found; "" for the main branch
    groups: tuple[Group, ...]
    exclude: Exclude


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(
        tool=read_tool_settings(reader),
        report=reader.text("report", REPORT),
        data=reader.text("data", ""),
        measures=_read_measures(reader),
        floor=_read_floor(reader, "floor"),
        changed_floor=_read_floor(reader, "changed_floor"),
        base=reader.text("base", ""),
        groups=_read_groups(reader),
        exclude=read_exclude(reader),
    )
    reader.close()
    return settings


def _read_floor(reader: TableReader, key: str) -> Floor | None:
    """Return a floor, None where there is none; what is no percentage is a fault."""
    written = reader.value(key)
    found = exact_percent(written)
    if found is None and key in reader:
        reader.fault((key,), f"expected a percentage such as 81.77, found {shown(written)}")
    return Floor(found, Site(reader.document, reader.line(key))) if found is not None else None


def _read_measures(reader: TableReader) -> tuple[str, ...]:
    found = reader.texts("measures", MEASURES)
    for index, name in enumerate(found):
        if name not in MEASURES:
            reader.fault(("measures", index), f"expected one of {', '.join(MEASURES)}, found {shown(name)}")
        if name in found[:index]:
            reader.fault(("measures", index), f"{name!r} is there twice")
    return found


def _read_groups(reader: TableReader) -> tuple[Group, ...]:
    groups: dict[str, Group] = {}
    for entry in reader.tables("groups"):
        name = entry.text("name")
        if "*" in name:
            entry.fault(("name",), f"{name!r} holds `*`", "It stands in approvals, which hold no wildcard.")
        if name in groups:
            entry.fault(("name",), f"{name!r} is the name of another group, too")
        entry.values("modules", least=1)
        groups[name] = Group(
            name=name,
            modules=read_selectors(entry, "modules"),
            floor=_read_floor(entry, "floor"),
            key=entry.name(),
            site=Site(entry.document, entry.line()),
        )
        entry.close()
    return tuple(groups.values())


LOOSENING = Loosening(
    {
        **TOOL_KEYS,
        **dict.fromkeys(("report", "data", "base"), Changes()),
        "measures": Requires(default=MEASURES),
        "floor": AtLeast(0),
        "changed_floor": AtLeast(0),
        "groups": Tables(Loosening({"floor": AtLeast(0), "modules": Changes()}), by="name", identity="group"),
        "exclude": EXCLUDE,
    }
)

"""What does `abutment facts FAMILY` show? Plain rows, sorted, the same bytes on every run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from abutment.errors import UnknownName
from abutment.facts.blindspots import scan_blindspots
from abutment.facts.imports import scan_imports
from abutment.model.fault import Fault
from abutment.model.identity import fingerprint
from abutment.model.site import Site
from abutment.semantics.program import Program

SCHEMA = 1
Listed = dict[str, object]


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of fact: how it is found, what its identity is, and how one place of it reads."""

    name: str
    scan: Callable[[Program], Iterator[Any]]  # of frozen dataclasses that hold `fields` and a `site`
    fields: tuple[str, ...]  # of the identity, in order
    kind: Callable[[Any], str]  # the family's own word for a place
    what: Callable[[Any], str]  # the imported module, the canonical API, the event's name
    figure: Callable[[Any], int] | None = None  # what its count is, where that is not at how many places it stands

    def identity(self, fact: object) -> Listed:
        """Return the fact's identity by field."""
        return {name: getattr(fact, name) for name in self.fields}


FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family(
            "imports",
            scan_imports,
            ("importer", "imported", "when", "optional", "dynamic", "via"),
            attrgetter("word"),
            attrgetter("imported"),
        ),
        Family(
            "blindspots",
            scan_blindspots,
            ("kind", "module", "qualname", "what"),
            attrgetter("kind"),
            attrgetter("what"),
        ),
    )
}


def family_named(name: str, others: Mapping[str, Family] = MappingProxyType({})) -> Family:
    """Return the family of that name, ours or one of the others; raises UnknownName."""
    found = FAMILIES.get(name) or others.get(name)
    if found is None:
        known = ", ".join(sorted({*FAMILIES, *others}))
        raise UnknownName(Fault("", 0, f"there is no family of facts {name!r}.", f"Known families: {known}."))
    return found


def facts_document(family: Family, program: Program) -> Listed:
    """Return `{"schema", "family", "facts"}`; facts are sorted by identity, their sites by place."""
    sites: dict[object, list[Site]] = defaultdict(list)
    for fact in family.scan(program):
        sites[fact].append(fact.site)
    # A fact with a figure stands at one place, and the figure is its count.
    # Facts order by identity alone (`site` is left out of comparison), so equal facts are one entry here.
    facts: list[Any] = list(sites)
    facts.sort(key=lambda fact: tuple(family.identity(fact).values()))
    return {
        "schema": SCHEMA,
        "family": family.name,
        "facts": [_fact_row(family, fact, sorted(sites[fact])) for fact in facts],
    }


def site_rows(family: Family, program: Program) -> list[Listed]:
    """Return one row a place, sorted by place and then by identity."""
    facts = sorted(family.scan(program), key=lambda fact: (fact.site, tuple(family.identity(fact).values())))
    return [_site_row(family, fact) for fact in facts]


def _fact_row(family: Family, fact: object, sites: list[Site]) -> Listed:
    identity = family.identity(fact)
    return {
        **identity,
        "count": len(sites) if family.figure is None else family.figure(fact),
        "fingerprint": fingerprint(family.name, identity),
        "sites": [_place(site) for site in sites],
    }


def _site_row(family: Family, fact: Any) -> Listed:
    row: Listed = {"family": family.name, "kind": family.kind(fact)}
    row.update(_place(fact.site))
    row["what"] = family.what(fact)
    return {**row, **family.identity(fact), "kind": row["kind"]}  # an identity may have a `kind` of its own


def _place(site: Site) -> Listed:
    return {
        "path": site.path,
        "line": site.line,
        "column": site.column,
        "end_line": site.end_line,
        "end_column": site.end_column,
        "scope": site.scope,
    }

"""What does every contract say, whatever its kind, and what can be found against one?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Protocol

from abutment.model.fault import Fault
from abutment.model.loosening import NOTHING_KNOWN, Free, Loosening, Ordered, Permits, Requires, switch
from abutment.model.reading import TableReader
from abutment.model.selector import Selector
from abutment.model.site import Site

if TYPE_CHECKING:
    from abutment.policies.contracts.codebase import Codebase
    from abutment.policies.contracts.edges import Edges


@dataclass(frozen=True, slots=True)
class Pattern:
    """One selector as somebody wrote it, with its place in the configuration."""

    selector: Selector
    site: Site

    @property
    def text(self) -> str:
        """The selector's own spelling."""
        return self.selector.text


@dataclass(frozen=True, slots=True)
class Ignore:
    """Imports that a contract does not look at: `"importer -> imported"`."""

    importer: Selector
    imported: Selector
    site: Site

    @property
    def text(self) -> str:
        """The entry in its canonical spelling."""
        return f"{self.importer.text} -> {self.imported.text}"


@dataclass(frozen=True, slots=True)
class Counting:
    """Which imports a contract counts."""

    type_only: bool = False  # those that only the type checker sees
    parents: bool = False  # packages that are executed on the way to a target
    statements: bool = False  # import statements alone: no dynamic or lazy ones, nothing that only runs on the way
    chains: bool = False  # the contract looks at chains, which lead through packages executed on the way


@dataclass(frozen=True, slots=True)
class Contract:
    """One `[[tool.abutment.contracts]]` table."""

    id: str
    kind: Kind
    site: Site
    law: Any  # what the kind's own reader returned
    reason: str = ""
    instead: str = ""
    counting: Counting = Counting()
    ignore: tuple[Ignore, ...] = ()
    unused_ignores: str = "gone"  # see UNUSED_IGNORES
    reviewed_only: bool = False

    @property
    def indirect(self) -> bool:
        """Say whether chains count, too."""
        return self.counting.chains

    def fault(self, site: Site, message: str, remedy: str = "Correct or delete it.") -> Fault:
        """Return a fault at a place of the contract's table."""
        return Fault(site.path, site.line, f"contract {self.id}: {message}", remedy)


def loosening_of(kind: Kind) -> Loosening:
    """Return in which direction a change of a contract's table loosens it, whatever key it is."""
    return Loosening(
        {
            "reason": Free(),
            "instead": Free(),
            "ignore": Permits(dotted=False),
            "unused_ignores": Ordered(UNUSED_IGNORES, UNUSED_IGNORES[0]),
            "include": Requires(),
            "reading": Ordered(READINGS, READINGS[0]),
            "indirect": switch(False),
            "reviewed_only": switch(kind.reviewed_only),
            **kind.loosening.keys,
        }
    )


def selectors_of(contract: Contract) -> Iterator[Selector]:
    """Yield every selector that the contract will ask a codebase for, outside layers, which are first-party."""
    for ignore in contract.ignore:
        yield from (ignore.importer, ignore.imported)
    for part in fields(contract.law):
        value = getattr(contract.law, part.name)
        if isinstance(value, tuple):
            yield from (member.selector for member in value if isinstance(member, Pattern))


READINGS = ("run", "statements")
UNUSED_IGNORES = (
    "gone",  # an entry that suppresses nothing is a violation
    "unmatched",  # only an entry that matches no import at all is
    "note",  # an entry that matches no import at all is mentioned
    "silent",  # nothing is said
)


class Route(Protocol):
    """Knows how the two ends of an indirect breach hang together."""

    def chain(self, start: int, end: int) -> tuple[str, ...]:
        """Return the names along the shortest chain, both ends included."""


@dataclass(frozen=True, slots=True)
class Breach:
    """One thing that a contract forbids and the code does. Its identity is (importer, imported)."""

    importer: str
    imported: str
    text: str  # one clause: "app.web.page imports app.db"
    why: str  # what is wrong with it, in a few words: "app.web stands above app.db"
    ends: tuple[int, int] = (-1, -1)  # node numbers, where it is an import or a chain
    route: Route | None = None  # for a chain


@dataclass(frozen=True, slots=True)
class Idle:
    """An allowance in the contract's own table that nothing makes use of."""

    importer: str
    imported: str
    text: str
    site: Site


def _no_edge(_importer: int, _imported: int) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Findings:
    """What one contract found. With any fault, the rest says nothing."""

    breaches: tuple[Breach, ...] = ()
    faults: tuple[Fault, ...] = ()
    idle: tuple[Idle, ...] = ()
    notes: tuple[str, ...] = ()
    bears: Callable[[int, int], bool] = field(default=_no_edge)  # whether ignoring that import can matter here


class Find(Protocol):
    """One kind's judgement: a pure function of what the code imports and what the contract says."""

    def __call__(self, codebase: Codebase, edges: Edges, contract: Contract, /) -> Findings:
        """Return everything found against the contract."""


class Places(Protocol):
    """Where in the code a breach stands."""

    def __call__(self, codebase: Codebase, contract: Contract, breach: Breach, /) -> tuple[Site, ...]:
        """Return the places, first the one to show."""


def import_places(codebase: Codebase, contract: Contract, breach: Breach) -> tuple[Site, ...]:
    """Return the statements that make the import, or its importer's file where there are none."""
    return codebase.sites(breach.importer, breach.imported, contract.counting) or codebase.file_of(breach.importer)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of contract."""

    name: str
    rule: str
    read: Callable[[TableReader], Any]  # reads the keys of this kind alone; the caller closes the table
    find: Find
    remedy: str  # what to do where the contract has no `instead`
    indirect: bool = False  # whether it knows `indirect`
    ignores: bool = True  # whether it knows `ignore` and `unused_ignores`
    imports: bool = True  # whether it knows `include` and `reading`
    passes: bool = True  # whether packages that are executed on the way can count, `include = ["parent"]`
    reviewed_only: bool = False  # the default of that key
    places: Places = import_places
    loosening: Loosening = NOTHING_KNOWN  # of the keys of this kind alone

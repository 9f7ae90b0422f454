"""Does a lower layer import a higher one?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abutment.model.fault import Fault
from abutment.model.loosening import Derived, Loosening, Permits, switch
from abutment.model.reading import Faults, TableReader
from abutment.model.selector import Selector, within
from abutment.model.site import Site
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Breach, Contract, Findings, Idle, Kind, Pattern
from abutment.policies.contracts.contract import import_places as _import_places
from abutment.policies.contracts.edges import Edges
from abutment.policies.contracts.groups import judged_groups
from abutment.policies.contracts.independence import disjoint
from abutment.policies.contracts.reading import patterns

NO_LAYER = "<no layer>"
_TWO = "Two layers at least have to be there, the lower one with modules that are read."


@dataclass(frozen=True, slots=True)
class Member:
    """One module of a layer."""

    text: str  # relative to the container, where there is one
    optional: bool
    site: Site


@dataclass(frozen=True, slots=True)
class Layer:
    """Modules that stand side by side."""

    members: tuple[Member, ...]
    independent: bool = True  # they may not import each other
    closed: bool = False  # what stands above may not import past it


@dataclass(frozen=True, slots=True)
class Layers:
    """Layers from top to bottom, once for each container where there are any."""

    layers: tuple[Layer, ...]
    containers: tuple[Pattern, ...] = ()
    exhaustive: bool = False
    exhaustive_ignores: tuple[Member, ...] = ()


def read(reader: TableReader) -> Layers:
    """Read the keys of this kind."""
    layers = tuple(_read_layer(reader, index, item) for index, item in enumerate(reader.values("layers", least=1)))
    found = Layers(
        layers=layers,
        containers=patterns(reader, "containers", optional=True),
        exhaustive=reader.boolean("exhaustive", False),
        exhaustive_ignores=tuple(
            Member(text, optional=False, site=Site(reader.document, reader.line("exhaustive_ignores", index)))
            for index, text in enumerate(reader.texts("exhaustive_ignores", ()))
        ),
    )
    if found.exhaustive and not found.containers:
        reader.fault(("exhaustive",), "only the children of `containers` can be counted", "Name the containers.")
    if found.exhaustive_ignores and not found.exhaustive:
        reader.fault(("exhaustive_ignores",), "means nothing without `exhaustive = true`", "Delete it.")
    return found


def _read_layer(reader: TableReader, index: int, item: object) -> Layer:
    if not isinstance(item, str):
        return _read_table(reader.member("layers", index))
    site = Site(reader.document, reader.line("layers", index))
    if "|" in item and ":" in item:
        reader.fault(("layers", index), "`|` and `:` exclude each other", "Siblings are independent or they are not.")
    independent = "|" in item or ":" not in item
    parts = item.split("|" if "|" in item else ":")
    members = (_member(reader, ("layers", index), part.strip(), site) for part in parts)
    return Layer(tuple(member for member in members if member is not None), independent)


def _read_table(reader: TableReader) -> Layer:
    optional = reader.boolean("optional", False)
    members = [
        _member(reader, ("modules", index), text, Site(reader.document, reader.line("modules", index)), optional)
        for index, text in enumerate(reader.texts("modules", least=1))
    ]
    layer = Layer(
        tuple(member for member in members if member is not None),
        independent=reader.boolean("independent", True),
        closed=reader.boolean("closed", False),
    )
    reader.close()
    return layer


def _member(
    reader: TableReader, below: tuple[str | int, ...], text: str, site: Site, optional: bool = False
) -> Member | None:
    if text.startswith("(") and text.endswith(")"):
        text, optional = text[1:-1].strip(), True
    try:
        Selector(text)
    except ValueError as error:
        reader.fault(below, str(error), "Write a dotted name such as `app.db`.")
        return None
    return Member(text, optional, site)


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return every import, or chain, that leads up, between independent siblings, or past a closed layer."""
    law: Layers = contract.law
    faults: list[Fault] = []
    containers = list(_containers(codebase, contract, law, faults)) if law.containers else [""]
    standings = [_Standing(codebase, contract, law, container, faults) for container in containers]
    if not faults and not law.exhaustive and not any(standing.judges() for standing in standings):
        faults.append(contract.fault(contract.site, "it forbids no import that this gate judges.", _TWO))
    if faults:
        return Findings(faults=tuple(sorted(set(faults))))
    parts = [
        judged_groups(codebase, edges, contract, standing.groups, standing.illegal, why=standing.why)
        for standing in standings
    ]
    homeless = [breach for standing in standings for breach in standing.homeless()] if law.exhaustive else []
    breaches = {(breach.importer, breach.imported): breach for part in parts for breach in part.breaches}
    return Findings(
        breaches=(*breaches.values(), *homeless),
        faults=tuple(fault for part in parts for fault in part.faults),
        idle=tuple(_idle(codebase, law, containers)),
        bears=lambda a, b: any(part.bears(a, b) for part in parts),
    )


def _containers(codebase: Codebase, contract: Contract, law: Layers, faults: list[Fault]) -> Iterator[str]:
    for pattern in law.containers:
        names = codebase.modules_named(pattern.selector)
        if not names:
            faults.append(contract.fault(pattern.site, f"there is no container {pattern.text!r}."))
        yield from names


class _Standing:
    """Which module stands in which layer of one container, and what that forbids."""

    def __init__(
        self, codebase: Codebase, contract: Contract, law: Layers, container: str, faults: list[Fault]
    ) -> None:
        self._codebase, self._law, self._container = codebase, law, container
        self._ranks: list[int] = []
        members: dict[str, frozenset[int]] = {}
        for rank, layer in enumerate(law.layers):
            for member in layer.members:
                name = _full(member.text, container)
                nodes = codebase.select(Selector(name))
                if not nodes and not member.optional:
                    faults.append(contract.fault(member.site, f"the layer {name!r} matches no module."))
                if name in members:
                    faults.append(contract.fault(member.site, f"the layer {name!r} is there twice."))
                else:
                    members[name] = nodes
                    self._ranks.append(rank)
        self._names = list(members)
        self.groups = disjoint(codebase, contract, members, faults)
        self.illegal = {
            group: sum(1 << other for other in range(len(self._ranks)) if self._forbids(group, other))
            for group in range(len(self._ranks))
        }

    def why(self, start: int, end: int) -> str:
        """Say what is wrong with an import from one group into another."""
        one, other = self._names[start], self._names[end]
        above, below = self._ranks[start], self._ranks[end]
        if above > below:
            return f"{one} stands below {other}"
        if above == below:
            return f"{one} and {other} are independent siblings"
        return f"past the closed layer {self._layer_name(self._closed_between(above, below))}"

    def judges(self) -> bool:
        """Say whether there is a module whose imports are judged and that may not import one of the others."""
        present = sum(1 << group for group in set(self.groups.values()))
        judged = self._codebase.judged
        return any(node in judged and self.illegal[group] & present for node, group in self.groups.items())

    def homeless(self) -> Iterator[Breach]:
        """Yield each child of the container that stands in no layer."""
        ignored = {member.text for member in self._law.exhaustive_ignores}
        for name in _children(self._codebase, self._container):
            node = self._codebase.number[name]
            if node in self._codebase.in_scope and node not in self.groups and name.rpartition(".")[2] not in ignored:
                yield Breach(name, NO_LAYER, f"{name} stands in no layer of {self._container}", "every child needs one")

    def _forbids(self, start: int, end: int) -> bool:
        above, below = self._ranks[start], self._ranks[end]
        if above == below:
            return start != end and self._law.layers[above].independent
        return above > below or self._closed_between(above, below) >= 0

    def _closed_between(self, above: int, below: int) -> int:
        ranks = range(above + 1, below)
        return next((rank for rank in ranks if self._law.layers[rank].closed), -1)

    def _layer_name(self, rank: int) -> str:
        return ", ".join(name for name, own in zip(self._names, self._ranks, strict=True) if own == rank)


def _full(text: str, container: str) -> str:
    if not container:
        return text
    mark, name = ("=", text[1:]) if text.startswith("=") else ("", text)
    return f"{mark}{container}.{name}"


def _children(codebase: Codebase, container: str) -> list[str]:
    return sorted(
        name
        for name in codebase.program.modules
        if name != container and within(name, container) and "." not in name[len(container) + 1 :]
    )


def _idle(codebase: Codebase, law: Layers, containers: list[str]) -> Iterator[Idle]:
    children = {name.rpartition(".")[2] for container in containers for name in _children(codebase, container)}
    for member in law.exhaustive_ignores:
        if member.text not in children:
            text = f"`exhaustive_ignores` names {member.text}, but no container has such a child"
            yield Idle(member.text, NO_LAYER, text, member.site)


def places(codebase: Codebase, contract: Contract, breach: Breach) -> tuple[Site, ...]:
    """Return the imports, or the module's file where it stands in no layer."""
    if breach.imported == NO_LAYER:
        return codebase.file_of(breach.importer)
    return _import_places(codebase, contract, breach)


def demands(written: object) -> frozenset[str]:
    """Return all that a list of layers asks for, as texts: with one more layer it asks for more, and loses nothing.

    Raises NotJudged where the list cannot be read.
    """
    faults = Faults()
    law = read(TableReader("", {"layers": written}, faults, lambda _path: 0))
    faults.raise_if_any()
    found = {f"{member.text} is there" for layer in law.layers for member in layer.members if not member.optional}
    for at, layer in enumerate(law.layers):
        names = [member.text for member in layer.members]
        if layer.independent:
            found.update(f"{name} does not import {other}" for name in names for other in names if name != other)
        found.update(f"{below} does not import {name}" for name in names for below in _names(law.layers[at + 1 :]))
        if layer.closed:
            above, below = _names(law.layers[:at]), _names(law.layers[at + 1 :])
            found.update(f"{upper} does not import {lower} past a layer" for upper in above for lower in below)
    return frozenset(found)


def _names(layers: Sequence[Layer]) -> list[str]:
    return [member.text for layer in layers for member in layer.members]


def demanded_containers(written: object) -> frozenset[str]:
    """Return where the layers hold: in each container, or as full names, which is another law."""
    if not isinstance(written, list) or not written:
        return frozenset({"the layers are full names"})
    return frozenset(f"the layers of {name} are held" for name in written)


KIND = Kind(
    name="layers",
    rule="ABT301",
    read=read,
    find=find,
    remedy="Move the shared part down, or hand it in from above.",
    indirect=True,
    places=places,
    loosening=Loosening(
        {
            "layers": Derived(demands),
            "containers": Derived(demanded_containers),
            "exhaustive": switch(False),
            "exhaustive_ignores": Permits(dotted=False),
        }
    ),
)

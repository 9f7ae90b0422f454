"""Is a name imported that may not be, under whatever address it is re-exported?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import compress, takewhile

from abutment.facts.statements import STAR
from abutment.model.fault import Fault
from abutment.model.loosening import Loosening, Permits, Requires
from abutment.model.reading import TableReader
from abutment.model.selector import Selector, within
from abutment.model.site import Site
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Breach, Contract, Findings, Kind, Pattern
from abutment.policies.contracts.edges import WAYS, Edges, accepted
from abutment.policies.contracts.matching import sources_but
from abutment.policies.contracts.reading import patterns
from abutment.semantics.program import OTHERS, Program


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name in a module: `sqlalchemy.orm.Session`, `app.ports.**:*Proxy`."""

    module: Selector  # the module alone, nothing below it
    name: str  # may hold `*` for any characters
    site: Site

    @property
    def text(self) -> str:
        """The canonical spelling."""
        return f"{self.module.name}.{self.name}"

    def touches(self, module: str) -> bool:
        """Say whether something taken from the module may be the symbol, or lead to its module."""
        fixed = ".".join(takewhile(lambda part: "*" not in part, self.module.name.split(".")))
        return not fixed or within(module, fixed) or within(fixed, module)

    def matches(self, module: str, name: str) -> bool:
        """Say whether that name of that module is meant."""
        same = fnmatchcase(name, self.name) if "*" in self.name else name == self.name
        return same and self.module.matches(module)


@dataclass(frozen=True, slots=True)
class SymbolBan:
    """`sources` may not import `symbols`."""

    sources: tuple[Pattern, ...]
    symbols: tuple[Symbol, ...]
    except_sources: tuple[Pattern, ...] = ()

    def touches(self, module: str) -> bool:
        """Say whether the module may have to do with one of the symbols."""
        return any(symbol.touches(module) for symbol in self.symbols)


def read(reader: TableReader) -> SymbolBan:
    """Read the keys of this kind."""
    symbols = [_symbol(reader, index, text) for index, text in enumerate(reader.texts("symbols", least=1))]
    return SymbolBan(
        sources=patterns(reader, "sources"),
        symbols=tuple(symbol for symbol in symbols if symbol is not None),
        except_sources=patterns(reader, "except_sources", optional=True),
    )


def _symbol(reader: TableReader, index: int, text: str) -> Symbol | None:
    module, colon, name = text.partition(":")
    if not colon:
        module, _, name = text.rpartition(".")
    if not module or not name.replace("*", "x").isidentifier():
        reader.fault(("symbols", index), f"{text!r} names no symbol", "Write `package.module.Name`.")
        return None
    try:
        selector = Selector("=" + module.removeprefix("="))
    except ValueError as error:
        reader.fault(("symbols", index), str(error), "Write `package.module.Name`.")
        return None
    return Symbol(selector, name, Site(reader.document, reader.line("symbols", index)))


def find(codebase: Codebase, edges: Edges, contract: Contract) -> Findings:
    """Return a breach for each importer and each banned symbol it takes, named by where it is defined."""
    law: SymbolBan = contract.law
    faults: list[Fault] = []
    judged = sources_but(codebase, contract, law.sources, law.except_sources, faults)
    faults.extend(
        contract.fault(symbol.site, message) for symbol in law.symbols for message in _unknown(codebase, symbol)
    )
    if faults:
        return Findings(faults=tuple(faults))
    breaches: dict[tuple[str, str], Breach] = {}
    for importer, _row, canonical in taken(codebase, contract):
        if codebase.number[importer] in judged:
            text = f"{importer} imports {canonical}"
            breaches[importer, canonical] = Breach(importer, canonical, text, "banned there")
    return Findings(tuple(breaches.values()))


def _unknown(codebase: Codebase, symbol: Symbol) -> Iterator[str]:
    """Yield why a symbol cannot be meant: its module is not there, or has no such name."""
    name = symbol.module.name
    if symbol.module.wild:
        is_known = any(map(symbol.module.matches, codebase.names))
    else:
        known = codebase.program.modules if codebase.owns(name) else codebase.number
        is_known = name in known or name.partition(".")[0] not in codebase.tops
    if not is_known:
        yield f"there is no module {name!r}."
    elif not symbol.module.wild and "*" not in symbol.name and _lacks(codebase.program, name, symbol.name):
        yield f"{name!r} has no name {symbol.name!r}."


def _lacks(program: Program, module: str, name: str) -> bool:
    """Say whether a module of ours certainly has no such name."""
    names = program.exports.get(module)
    if names is None or OTHERS in names or name.startswith("__"):  # the interpreter adds such names of its own
        return False
    return name not in names and f"{module}.{name}" not in program.modules


def taken(codebase: Codebase, contract: Contract) -> Iterator[tuple[str, int, str]]:
    """Yield importer, row and canonical name wherever a banned symbol is taken, by whomever."""
    columns, bits = codebase.program.columns, accepted(contract.counting)
    banned = _banned(codebase, contract.law)
    takes = map(banned.__contains__, zip(columns.imported, columns.symbol, strict=True))
    for row in compress(range(len(columns)), takes):
        if WAYS[columns.flags[row]] & bits:
            for origin in banned[columns.imported[row], columns.symbol[row]]:
                yield columns.names[columns.importer[row]], row, origin


def _banned(codebase: Codebase, law: SymbolBan) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return every (module, name) that stands for a banned symbol, with what it stands for.

    Only a module that has to do with the symbol's own module, or that takes the symbol from such a one, can hand it
    on. Looking at those alone is what keeps this quick: following a name through its module costs much more.
    """
    columns, ways = codebase.program.columns, _ways(codebase, law)
    names = columns.names
    near = frozenset(m for m in codebase.taken_from if law.touches(names[m]))
    fresh = near.union(compress(columns.importer, map(near.__contains__, columns.imported)))
    banned: dict[tuple[int, int], tuple[str, ...]] = {}
    seen: set[int] = set()
    while fresh:
        seen |= fresh
        found: dict[tuple[int, int], tuple[str, ...]] = {}
        for m in fresh:
            for n in codebase.taken_from.get(m, ()):
                origins = tuple(ways.banned(names[m], names[n]))
                if origins:
                    found[m, n] = origins
        banned.update(found)
        fresh = codebase.takers(found) - seen if found else frozenset()
    return banned


def _ways(codebase: Codebase, law: SymbolBan) -> Ways:
    """Return the ways that were followed for this law in this codebase before."""
    found: Ways = codebase.kept.setdefault(law, Ways(codebase.program, law))
    return found


Address = tuple[str, str]  # module, name


class Ways:
    """From every name that is taken to where it is defined, through whatever hands it on; each step is made once."""

    def __init__(self, program: Program, law: SymbolBan) -> None:
        self._program, self._law = program, law
        self._ends: dict[Address, tuple[bool, Address]] = {}  # whether it is banned on the way, and where that ends

    def banned(self, module: str, name: str) -> Iterator[str]:
        """Yield what is banned of that which taking the name takes, as it is called where it is defined."""
        if name == STAR:
            yield from self._star(module)
        elif name:
            is_banned, end = self._end(module, name)
            if is_banned:
                yield ".".join(end)

    def _star(self, module: str) -> Iterator[str]:
        """Yield what `from module import *` takes: known names of ours, every banned name of an outside module."""
        for name in sorted(self._program.exports.get(module, {})):
            if not name.startswith("_") and name != OTHERS:
                yield from self.banned(module, name)
        if module not in self._program.modules:
            yield from (f"{module}.{symbol.name}" for symbol in self._law.symbols if symbol.module.matches(module))

    def _end(self, module: str, name: str) -> tuple[bool, Address]:
        way: dict[Address, None] = {}
        at: Address | None = (module, name)
        while at is not None and at not in self._ends and at not in way:
            way[at] = None
            at = _handed_on(self._program, *at)
        is_banned, end = self._rest(list(way), at)
        for address in reversed(way):
            is_banned = is_banned or self._means(address)
            self._ends[address] = is_banned, end
        return self._ends[module, name]

    def _rest(self, way: list[Address], at: Address | None) -> tuple[bool, Address]:
        """Return how a way goes on from `at`, where following it stopped."""
        if at is None:
            return False, way[-1]
        if at in self._ends:
            return self._ends[at]
        circle = way[way.index(at) :]  # modules that hand a name to one another define it nowhere
        return any(map(self._means, circle)), min(circle)

    def _means(self, address: Address) -> bool:
        return any(symbol.matches(*address) for symbol in self._law.symbols)


def _handed_on(program: Program, module: str, name: str) -> Address | None:
    """Return from where a module has a name that it hands on; None for one of its own and for an unknown one."""
    origin = program.exports.get(module, {}).get(name)
    if origin is None:
        return None
    target, colon, symbol = origin.partition(":")
    address = (target, symbol) if colon else _split(target)
    return address if address[0] and address != (module, name) else None


def _split(module: str) -> tuple[str, str]:
    above, _, last = module.rpartition(".")
    return above, last


def places(codebase: Codebase, contract: Contract, breach: Breach) -> tuple[Site, ...]:
    """Return the statements that take the symbol."""
    law: SymbolBan = contract.law
    columns, bits, ways = codebase.program.columns, accepted(contract.counting), _ways(codebase, law)
    found: set[Site] = set()
    for row in codebase.rows(breach.importer):
        module, name = columns.names[columns.imported[row]], columns.names[columns.symbol[row]]
        if WAYS[columns.flags[row]] & bits and breach.imported in ways.banned(module, name):
            found.add(codebase.program.import_at(row).site)
    return tuple(sorted(found))


KIND = Kind(
    name="symbol",
    rule="ABT310",
    read=read,
    find=find,
    remedy="Take the thing from the module that is meant to hand it out.",
    passes=False,
    places=places,
    loosening=Loosening({"sources": Requires(dotted=True), "symbols": Requires(), "except_sources": Permits()}),
)

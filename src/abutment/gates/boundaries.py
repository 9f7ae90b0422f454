"""Does the code keep to the contracts that people wrote about its imports?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, field, replace

from abutment.gates.gate import Gate, Rule
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Measurement, Unused
from abutment.model.reading import TableReader
from abutment.model.selector import Selector
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.policies.contracts import absent_path
from abutment.policies.contracts.codebase import Codebase
from abutment.policies.contracts.contract import Breach, Contract, Findings, Idle, Pattern, selectors_of
from abutment.policies.contracts.kinds import judged, read_contracts
from abutment.policies.contracts.reading import patterns
from abutment.semantics.program import Program
from abutment.sources.tree import Tree

FIELDS = ("contract", "importer", "imported")
UNKNOWN = "ABT300"
REVIEW = "Where it must stay for now, a person approves it in {policy}."
RULES = (
    Rule(UNKNOWN, "unknown-contract", "A grant names a contract that is not written any more."),
    Rule("ABT301", "layers", "A module imports a layer above its own, a sibling, or past a closed layer."),
    Rule("ABT302", "forbidden", "A module imports what a contract forbids it."),
    Rule("ABT303", "allow-only", "A module imports first-party code that is not on its list."),
    Rule("ABT304", "independence", "Modules that must not know of each other import each other."),
    Rule("ABT305", "acyclic-siblings", "The children of a package import each other in a circle."),
    Rule("ABT306", "leaf", "A module that must stand on its own imports first-party code."),
    Rule("ABT307", "must-depend-on", "A module does not import what it must, or imports what it must leave alone."),
    Rule("ABT308", "protected", "A protected module is imported by others than those who may."),
    Rule("ABT309", "external", "A package outside the roots is used where it may not be."),
    Rule("ABT310", "symbol", "A name is imported that may not be, under whatever address."),
    Rule("ABT311", "absent-path", "A file or folder exists that must not."),
    Rule("ABT312", "raw", "An import from one root to another has not been reviewed."),
)


@dataclass(frozen=True, slots=True)
class Boundaries:
    """What is configured for this gate."""

    contracts: tuple[Contract, ...]
    left_out: tuple[Pattern, ...] = ()  # modules whose imports are not judged
    site: Site = field(default_factory=lambda: Site(""))  # of the contracts in the configuration
    paths: frozenset[str] = frozenset()  # of those that contracts ask for, the ones that exist

    @property
    def exclude(self) -> tuple[Selector, ...]:
        """The selectors of what is left out."""
        return tuple(pattern.selector for pattern in self.left_out)


def read_settings(reader: TableReader) -> Boundaries:
    """Return the settings; `reader` reads `[tool.abutment]`, as contracts stand beside the gate's own table."""
    own = reader.table("boundaries")
    left_out = patterns(own, "exclude", optional=True, least=0)
    own.close()
    return Boundaries(
        contracts=read_contracts(reader), left_out=left_out, site=Site(reader.document, reader.line("contracts"))
    )


def unheard(settings: Boundaries) -> Iterator[Fault]:
    """Yield that contracts are written which nobody judges while the gate is off, where there are any."""
    number, site = len(settings.contracts), settings.site
    if number:
        written = "1 contract is" if number == 1 else f"{number} contracts are"
        message = f"{written} written, but the gate {GATE.name} is not switched on."
        yield Fault(site.path, site.line, message, f'Add "{GATE.name}" to `gates`.')


def prepare(settings: Boundaries, tree: Tree) -> Boundaries:
    """Return the settings with what only the tree can tell: which of the named paths exist. Raises NotJudged."""
    laws = [contract.law for contract in settings.contracts if contract.kind is absent_path.KIND]
    return replace(settings, paths=absent_path.present(tree, laws)) if laws else settings


def measure(program: Program, settings: Boundaries, grants: Grants) -> Measurement:
    """Return each breach of each contract as one fact (contract, importer, imported)."""
    codebase = Codebase(
        program,
        paths=settings.paths,
        leave_out=lambda module: any(selector.matches(module) for selector in settings.exclude),
        asked=[selector for contract in settings.contracts for selector in selectors_of(contract)],
    )
    results = [(contract, judged(codebase, contract)) for contract in settings.contracts]
    casebook = Casebook(codebase, results)
    reviewed = frozenset(contract.id for contract in settings.contracts if contract.reviewed_only)
    return Measurement(
        counts=dict.fromkeys(casebook.breaches, 1),
        describe=casebook.describe,
        looked_at=codebase.imports or len(codebase.judged),
        unit="imports" if codebase.imports else "modules",
        unused=tuple(_unused(contract, idle) for contract, found in results for idle in found.idle),
        faults=tuple(_faults(codebase, settings, results)),
        notes=tuple(_notes(results, grants)),
        covers=tuple(contract.id for contract in settings.contracts),
        named_parts=True,
        reviewed_only=lambda key: key[0] in reviewed,
    )


def _faults(codebase: Codebase, settings: Boundaries, results: Iterable[tuple[Contract, Findings]]) -> Iterator[Fault]:
    if not settings.contracts:
        message = "boundaries has no contract to judge by."
        yield Fault(settings.site.path, 0, message, "Write [[tool.abutment.contracts]], or take it out of `gates`.")
    for pattern in settings.left_out:
        if not any(pattern.selector.matches(name) for name in codebase.program.modules):
            message = f"boundaries.exclude: {pattern.text!r} matches no module."
            yield Fault(pattern.site.path, pattern.site.line, message, "Correct or delete it.")
    for _contract, found in results:
        yield from found.faults


def _unused(contract: Contract, idle: Idle) -> Unused:
    evidence = Evidence(
        rule=contract.kind.rule,
        what=f"contract {contract.id}: {idle.text}",
        sites=(idle.site,),
        remedy="Delete the entry.",
    )
    return Unused((contract.id, idle.importer, idle.imported), evidence)


def _notes(results: Iterable[tuple[Contract, Findings]], grants: Grants) -> Iterator[str]:
    for contract, found in results:
        yield from found.notes
        if contract.reviewed_only and not found.faults:
            yield _totals(contract, found, grants)


def _totals(contract: Contract, found: Findings, grants: Grants) -> str:
    """Say how many facts a reviewed contract has, and how they spread over what tracks them."""
    pairs = {(breach.importer, breach.imported) for breach in found.breaches}
    tracked: Counter[str] = Counter()
    reviewed: set[tuple[str, str]] = set()
    for approval in grants.approvals:
        name, *ends = approval.key
        if name == contract.id and (ends[0], ends[1]) in pairs:
            tracked[approval.tracking or approval.klass] += 1
            reviewed.add((ends[0], ends[1]))
    if pairs - reviewed:
        tracked["not reviewed"] = len(pairs - reviewed)
    spread = "".join(f"; {name} {count}" for name, count in sorted(tracked.items()))
    importers, imported = ({pair[end] for pair in pairs} for end in (0, 1))
    sizes = (_counted(pairs, "import"), _counted(importers, "importer"), _counted(imported, "target"))
    return f"contract {contract.id}: {', '.join(sizes)}{spread}."


def _counted(things: Sized, word: str) -> str:
    return f"{len(things)} {word}{'' if len(things) == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class _Step:
    """One import of a chain, or one package that runs on the way to what is imported."""

    importer: str
    verb: str
    imported: str
    sites: tuple[Site, ...]

    @property
    def text(self) -> str:
        """How it reads in a report."""
        place = f" ({self.sites[0].place()})" if self.sites else ""
        return f"{self.importer} {self.verb} {self.imported}{place}"


class Casebook:
    """Every breach by its key, and how it reads to a person."""

    def __init__(self, codebase: Codebase, results: Iterable[tuple[Contract, Findings]]) -> None:
        self._codebase = codebase
        self._contracts: dict[str, Contract] = {}
        self.breaches: dict[Key, Breach] = {}
        for contract, found in results:
            self._contracts[contract.id] = contract
            for breach in found.breaches:
                self.breaches[contract.id, breach.importer, breach.imported] = breach

    def describe(self, key: Key) -> Evidence:
        """Return how a key reads; also for keys the code has no breach for."""
        name, importer, imported = key
        contract = self._contracts.get(name)
        if contract is None:
            return Evidence(UNKNOWN, f"there is no contract {name} (for {importer} and {imported})")
        breach = self.breaches.get(key)
        if breach is None:
            return Evidence(contract.kind.rule, f"{importer} and {imported} no longer break contract {name}")
        steps = tuple(self._steps(contract, breach))
        return Evidence(
            rule=contract.kind.rule,
            what=f"{breach.text} ({name}: {breach.why})",
            sites=steps[0].sites if steps else contract.kind.places(self._codebase, contract, breach),
            through=tuple(site for step in steps[1:] for site in step.sites),
            details=(*(step.text for step in steps), *((f"Reason: {contract.reason}",) if contract.reason else ())),
            remedy=_remedy(contract),
        )

    def _steps(self, contract: Contract, breach: Breach) -> Iterator[_Step]:
        """Yield the imports along the shortest chain of an indirect breach."""
        if breach.route is None:
            return
        chain = breach.route.chain(*breach.ends)
        for importer, imported in zip(chain, (*chain[1:-1], breach.imported), strict=False):
            sites = self._codebase.sites(importer, imported, contract.counting)
            passed = self._codebase.is_passed(importer, imported, contract.counting)
            yield _Step(importer, "runs" if passed else "imports", imported, sites or self._codebase.file_of(importer))


def _remedy(contract: Contract) -> str:
    advice = contract.instead or contract.kind.remedy
    return advice if "{policy}" in advice else f"{advice} {REVIEW}"


GATE = Gate(
    name="boundaries",
    question="Does the code keep to the contracts that people wrote about its imports?",
    direction=Direction.RATCHET,
    fields=FIELDS,
    module_fields=("importer", "imported"),
    rules=RULES,
    remedy=REVIEW,
    read_settings=read_settings,
    measure=measure,
    needs_configuration=True,
    judges_tests=False,
    reads_root_table=True,
    unheard=unheard,
    prepare=prepare,
)

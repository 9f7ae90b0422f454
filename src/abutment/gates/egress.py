"""Which modules may open network connections, and by which ways?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from abutment.facts.egress import CONSTRUCTION, EgressUse, Network, scan_egress
from abutment.facts.named import settled
from abutment.gates.egress_list import BUILT_IN, LISTS
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import Named, missing, names_of, read_named, variables
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Around, Extra, Saying, use_gate
from abutment.model.fault import Fault
from abutment.model.grants import Approval, Grants, Recorded
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, All, Loosening, Permits, Requires
from abutment.model.reading import TableReader
from abutment.semantics.program import Program

FIELDS = ("module", "qualname", "target", "kind", "operation")
_IMPORT = Rule("ABT601", "network-import", "An import at run time of something that gives access to the network.")
_USE = Rule("ABT602", "network-use", "A call by which the code leaves the process over the network.")
_REMEDY = "Call the module that owns this connection instead, or have the new use approved in {policy}."


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.egress]` says."""

    network: Network  # the built-in providers
    own: Mapping[str, tuple[Named, ...]]  # those that the configuration adds, by kind
    exclude: Exclude = ()
    reasons: tuple[str, ...] = ()  # the codes with which an exception's reason may begin; () for any words


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table: each list adds to a built-in one, `not_network` takes names out of those."""
    providers = dict(BUILT_IN.providers)
    own = {kind: read_named(reader, key) for key, (kind, _) in LISTS.items()}
    for index, name in enumerate(reader.texts("not_network", ())):
        taken = [one for one in providers if name in (one, BUILT_IN.same.get(one))]
        for one in taken:
            del providers[one]
        if not taken:
            reader.fault(("not_network", index), f"{name!r} is in none of the built-in lists")
    factories = BUILT_IN.factories.union(reader.texts("factories", ()))
    network = replace(BUILT_IN, providers=providers, factories=factories)
    settings = Settings(network, own, read_exclude(reader), _read_reasons(reader))
    reader.close()
    return settings


def _read_reasons(reader: TableReader) -> tuple[str, ...]:
    codes = reader.texts("reasons", ())
    for index, code in enumerate(codes):
        if ":" in code or code != code.strip():
            reader.fault(("reasons", index), f"{code!r} is no code", "Write it without colon and blanks around it.")
    return codes


def scan(program: Program, settings: Settings) -> Iterator[EgressUse]:
    """Yield every way out."""
    network = settings.network.beyond(program.modules)
    providers = dict(network.providers)
    for kind, named in settings.own.items():
        providers.update(dict.fromkeys(settled(program, names_of(named)), kind))
    return scan_egress(program, replace(network, providers=providers))


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one way out reads."""
    module, qualname, target, _kind, operation = key
    where = place_words(module, qualname)
    if operation == "import":
        return Saying(_IMPORT, f"{where} imports {target}, which gives access to the network")
    api = target if operation == "()" else f"{target}.{operation}"
    return Saying(_USE, f"{where} reaches the network by {api}")


def beside(program: Program, settings: Settings, facts: Iterable[EgressUse]) -> Extra:
    """Return what is named and is nowhere, and the totals: a module and what it reaches are the unit of review."""
    named = [one for some in settings.own.values() for one in some]
    faults = (*missing(program, named), *variables(program, named))
    edges = Counter((one.module, one.target, one.kind) for one in facts if _is_counted(one))
    kinds = Counter(kind for _, _, kind in edges)
    told = ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds))
    notes = (f"network edges (module, target): {len(edges)}, of which {told}.",) if edges else ()
    return Extra(faults=faults, notes=(*notes, *unseen(program, named)))


def around(facts: Sequence[EgressUse], grants: Grants) -> Callable[[Key], Around]:
    """Return what the edge of a use (module, target, kind) has in all, where it grew: it is what a person reviews."""
    found = Counter((one.module, one.target, one.kind) for one in facts)
    granted: Counter[_Edge] = Counter()
    entries: list[Approval | Recorded] = [*grants.approvals, *grants.recorded]
    for entry in entries:
        granted[_edge_of(entry.key)] += entry.count

    def look(key: Key) -> Around:
        edge = module, target, kind = _edge_of(key)
        if found[edge] <= granted[edge]:
            return Around()
        return Around((f"the edge {module} -> {target} ({kind}) has {found[edge]}, granted {granted[edge]}",))

    return look


_Edge = tuple[str, str, str]


def _edge_of(key: Key) -> _Edge:
    module, _qualname, target, kind, _operation = key
    return module, target, kind


def review(settings: Settings, grants: Grants) -> Iterator[Fault]:
    """Yield each approval whose reason is not of its class, where the configuration says which reasons there are."""
    if not settings.reasons:
        return
    known = ", ".join(settings.reasons)
    for approval in grants.approvals:
        code, colon, words = approval.reason.partition(":")
        has_code = bool(colon) and code in settings.reasons and bool(words.strip())
        if approval.klass == "exception" and not has_code:
            message = "the reason of an exception begins with none of egress.reasons and a colon"
            yield Fault(approval.site.path, approval.site.line, message, f"Write `CODE: why`. Known codes: {known}.")
        elif approval.klass == "debt" and has_code:
            message = f"{code!r} is the reason of an exception, and this is a debt"
            yield Fault(approval.site.path, approval.site.line, message, "Say why it is there and has to go.")


def _is_counted(fact: EgressUse) -> bool:
    return fact.kind != CONSTRUCTION


def _word(fact: EgressUse) -> str:
    if fact.operation == "import":
        return "import"
    return CONSTRUCTION if fact.kind == CONSTRUCTION else "egress"


GATE = use_gate(
    name="egress",
    question="Which modules may open network connections, and by which ways?",
    fields=FIELDS,
    rules=(_IMPORT, _USE),
    scan=scan,
    say=say,
    remedy=_REMEDY,
    read_settings=read_settings,
    word=_word,
    what=attrgetter("api"),
    counted=_is_counted,
    beside=beside,
    around=around,
    review=review,
    has_targets=True,
    loosening=Loosening(
        {
            **dict.fromkeys((*LISTS, "factories"), Requires()),
            "not_network": Permits(),
            "reasons": Permits(dotted=False, all=All.EMPTY),
            "exclude": EXCLUDE,
        }
    ),
)

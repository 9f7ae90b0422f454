"""Who opens database sessions, and begins and ends transactions?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter

from abutment.facts.named import settled
from abutment.facts.transactions import (
    BEGIN,
    COMMIT,
    DECORATE,
    DECORATOR,
    MAKER,
    OPEN,
    ROLLBACK,
    SESSION,
    Provider,
    TransactionUse,
    scan_transactions,
)
from abutment.gates.allowances import unused
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import Named, missing, names_of, read_named, variables
from abutment.gates.scope import Exclude, PlacedSelectors, read_exclude, read_selectors, selects, unmatched
from abutment.gates.transactions_list import BUILT_IN
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, All, Loosening, Permits, Requires
from abutment.model.reading import TableReader
from abutment.semantics.program import Program

FIELDS = ("module", "qualname", "target", "operation")
_OPENED = Rule("ABT651", "own-session", "A session or connection is opened by a module that does not own transactions.")
_ENDED = Rule("ABT652", "foreign-commit", "A commit or rollback by a module that does not own transactions.")
_BEGUN = Rule("ABT653", "own-transaction", "A transaction is begun by a module that does not own transactions.")
_DECORATED = Rule("ABT654", "transaction-decorator", "A decorator puts a transaction around a function.")
_IDLE = Rule("ABT655", "idle-transaction-owner", "An owner of transactions that opens, begins and ends none.")
_SAID = {
    OPEN: (_OPENED, "opens a session of its own by {}"),
    BEGIN: (_BEGUN, "begins a transaction by {}"),
    COMMIT: (_ENDED, "commits a transaction of {}"),
    ROLLBACK: (_ENDED, "rolls back a transaction of {}"),
    DECORATE: (_DECORATED, "puts a transaction of {} around a function"),
}
_LISTS = {"sessions": SESSION, "makers": MAKER, "decorators": DECORATOR}


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.transactions]` says."""

    providers: Mapping[str, Provider]  # the built-in ones
    own: Mapping[str, tuple[Named, ...]]  # those that the configuration adds, by kind
    owners: PlacedSelectors
    roots: PlacedSelectors  # where it is judged; () for everywhere
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table: each list adds to the built-in one, `not_transactions` takes names out of that."""
    providers = dict(BUILT_IN)
    own = {kind: read_named(reader, key) for key, kind in _LISTS.items()}
    for index, name in enumerate(reader.texts("not_transactions", ())):
        if providers.pop(name, None) is None:
            reader.fault(("not_transactions", index), f"{name!r} is in none of the built-in lists")
    owners, roots = read_selectors(reader, "owners"), read_selectors(reader, "roots")
    settings = Settings(providers, own, owners, roots, read_exclude(reader))
    reader.close()
    return settings


def scan(program: Program, settings: Settings) -> Iterator[TransactionUse]:
    """Yield what is done in the roots, by owners as well."""
    providers = dict(settings.providers)
    for kind, named in settings.own.items():
        providers.update((name, Provider(kind, name)) for name in settled(program, names_of(named)))
    for found in scan_transactions(program, providers):
        if not settings.roots or selects(settings.roots, found.module):
            yield replace(found, owned=selects(settings.owners, found.module))


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one operation reads."""
    module, qualname, target, operation = map(str, key)
    where = place_words(module, qualname)
    rule, clause = _SAID.get(operation, _SAID[COMMIT])
    return Saying(rule, f"{where} {clause.format(target)}")


def beside(program: Program, settings: Settings, facts: Iterable[TransactionUse]) -> Extra:
    """Return the owners of no use, and the names that mean nothing."""
    doing = {one.module for one in facts}
    idle = unused(settings.owners, doing, "owns transactions and has none", _IDLE, lambda text: (text, "", "", "owner"))
    named = [one for some in settings.own.values() for one in some]
    faults = (*missing(program, named), *variables(program, named), *unmatched(settings.roots, program.modules))
    return Extra(unused=tuple(idle), faults=faults, notes=tuple(unseen(program, named)))


def _is_counted(fact: TransactionUse) -> bool:
    return not fact.owned


GATE = use_gate(
    name="transactions",
    question="Who opens database sessions, and begins and ends transactions?",
    fields=FIELDS,
    rules=(_OPENED, _ENDED, _BEGUN, _DECORATED, _IDLE),
    scan=scan,
    say=say,
    remedy="Leave it to the module that owns the transaction, or have it approved in {policy}.",
    read_settings=read_settings,
    word=attrgetter("operation"),
    what=attrgetter("api"),
    counted=_is_counted,
    beside=beside,
    loosening=Loosening(
        {
            "owners": Permits(),
            "roots": Requires(dotted=True, all=All.EMPTY),
            **dict.fromkeys(_LISTS, Requires()),
            "not_transactions": Permits(),
            "exclude": EXCLUDE,
        }
    ),
)

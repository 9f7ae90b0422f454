"""Which calls hold the event loop up?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from abutment.facts.blocking import PATH, Blockers, BlockingCall, scan_blocking
from abutment.facts.named import settled
from abutment.gates.blocking_list import BLOCKING, NOT_WAITING, PATH_METHODS
from abutment.gates.gate import Rule
from abutment.gates.named import Named, missing, names_of, read_named, variables
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Around, Extra, Saying, use_gate
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Loosening, Permits, Requires
from abutment.model.reading import TableReader
from abutment.semantics.program import Program

FIELDS = ("module", "qualname", "target", "through")
_CALL = Rule("ABT701", "blocking-call", "A call in an `async def` that blocks the event loop.")
_THROUGH = Rule("ABT702", "blocking-function", "A call in an `async def` of a function of this codebase that blocks.")
_REMEDY = (
    "Await an asynchronous counterpart, or hand the call to a worker (`asyncio.to_thread`), or have it approved in"
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.blocking]` says."""

    blockers: Blockers  # the built-in ones
    also: tuple[Named, ...] = ()  # `shutil.*` means everything right below
    not_through: tuple[Named, ...] = ()
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table.

    `also` adds names to the built-in list, `not_blocking` takes them out; functions of the codebase that are named in
    `not_through` are not looked into.
    """
    names = {*BLOCKING, *(f"{PATH}.{method}" for method in PATH_METHODS)}
    for index, name in enumerate(reader.texts("not_blocking", ())):
        if name not in names:
            reader.fault(("not_blocking", index), f"{name!r} is not in the list")
        names.discard(name)
    paths = frozenset(method for method in PATH_METHODS if f"{PATH}.{method}" in names)
    blockers = Blockers(frozenset(names), paths, NOT_WAITING)
    settings = Settings(
        blockers, read_named(reader, "also", starred=True), read_named(reader, "not_through"), read_exclude(reader)
    )
    reader.close()
    return settings


def scan(program: Program, settings: Settings) -> Iterator[BlockingCall]:
    """Yield every call that may block."""
    also, not_through = (settled(program, names_of(named)) for named in (settings.also, settings.not_through))
    names = settings.blockers.names.union(also)
    return scan_blocking(program, replace(settings.blockers, names=names, not_through=frozenset(not_through)))


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one blocking call reads."""
    module, qualname, target, through = key
    api = target.removeprefix("builtins.")
    if through:
        return Saying(_THROUGH, f"{module}, in {qualname}, holds up the event loop by {through} (it calls {api})")
    return Saying(_CALL, f"{module}, in {qualname}, holds up the event loop by {api}")


def beside(program: Program, settings: Settings, _facts: Iterable[BlockingCall]) -> Extra:
    """Return a fault for each name under which nothing stands."""
    named = (*settings.also, *settings.not_through)
    faults = (*missing(program, named), *variables(program, settings.also))
    return Extra(faults=faults, notes=tuple(unseen(program, named)))


def around(facts: Sequence[BlockingCall], _grants: Grants) -> Callable[[Key], Around]:
    """Return the chain of a call that blocks in a function of this codebase: where that function does it."""
    inner = {(one.module, one.qualname, one.target, one.through): one.inner for one in facts if one.inner is not None}

    def look(key: Key) -> Around:
        site = inner.get((key[0], key[1], key[2], key[3]))
        if site is None:
            return Around()
        api = key[2].removeprefix("builtins.")
        return Around((f"{key[3]} calls {api}: {site.place()}",), (site,))

    return look


def _word(_fact: BlockingCall) -> str:
    return "blocking"


def _api(fact: BlockingCall) -> str:
    return fact.target.removeprefix("builtins.")


GATE = use_gate(
    name="blocking",
    question="Which calls hold the event loop up?",
    fields=FIELDS,
    rules=(_CALL, _THROUGH),
    scan=scan,
    say=say,
    remedy=f"{_REMEDY} {{policy}}.",
    read_settings=read_settings,
    word=_word,
    what=_api,
    beside=beside,
    around=around,
    loosening=Loosening({"also": Requires(), "not_blocking": Permits(), "not_through": Permits(), "exclude": EXCLUDE}),
    takes_comments=True,
)

"""Which calls hold the event loop up?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from abutment.facts.blocking import PATH, Blockers, BlockingCall, scan_blocking
from abutment.gates.blocking_list import BLOCKING, PATH_METHODS
from abutment.gates.gate import Rule
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.use_gate import Around, Extra, Saying, use_gate
from abutment.gates.watched import read_names
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.reading import TableReader
from abutment.model.site import Site
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

    blockers: Blockers
    exclude: Exclude = ()
    not_through: tuple[tuple[str, Site], ...] = ()  # with their places


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table.

    `also` adds names to the built-in list, `not_blocking` takes them out; functions of the codebase that are named in
    `not_through` are not looked into.
    """
    names = {*BLOCKING, *(f"{PATH}.{method}" for method in PATH_METHODS), *read_names(reader, "also")}
    for index, name in enumerate(reader.texts("not_blocking", ())):
        if name not in names:
            reader.fault(("not_blocking", index), f"{name!r} is not in the list")
        names.discard(name)
    paths = frozenset(method for method in PATH_METHODS if f"{PATH}.{method}" in names)
    not_through = reader.texts("not_through", ())
    places = (Site(reader.document, reader.line("not_through", index)) for index in range(len(not_through)))
    blockers = Blockers(frozenset(names), paths, frozenset(not_through))
    settings = Settings(blockers, read_exclude(reader), tuple(zip(not_through, places, strict=True)))
    reader.close()
    return settings


def scan(program: Program, settings: Settings) -> Iterator[BlockingCall]:
    """Yield every call that may block."""
    return scan_blocking(program, settings.blockers)


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one blocking call reads."""
    module, qualname, target, through = key
    api = target.removeprefix("builtins.")
    if through:
        return Saying(_THROUGH, f"{module}, in {qualname}, holds up the event loop by {through} (it calls {api})")
    return Saying(_CALL, f"{module}, in {qualname}, holds up the event loop by {api}")


def beside(program: Program, settings: Settings, _facts: Iterable[BlockingCall]) -> Extra:
    """Return a fault for each function of `not_through` that stands in no module: it is misspelt, or gone."""
    lost = [(name, site) for name, site in settings.not_through if not _stands_in(program, name)]
    return Extra(
        faults=tuple(
            Fault(site.path, site.line, f"blocking.not_through: {name!r} stands in no module.", "Correct or delete it.")
            for name, site in lost
        )
    )


def _stands_in(program: Program, name: str) -> bool:
    module = name.rpartition(".")[0]
    while module and module not in program.modules:
        module = module.rpartition(".")[0]
    return bool(module)


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
)

"""Which calls hold the event loop up?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from abutment.facts.blocking import Blockers, BlockingCall, scan_blocking
from abutment.gates.blocking_list import BLOCKING, PATH_METHODS
from abutment.gates.gate import Rule
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.use_gate import Saying, use_gate
from abutment.model.identity import Key
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

    blockers: Blockers
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table: `also` adds names to the built-in list, `not_blocking` takes them out."""
    names = set(BLOCKING) | set(reader.texts("also", ()))
    for index, name in enumerate(reader.texts("not_blocking", ())):
        if name not in names:
            reader.fault(("not_blocking", index), f"{name!r} is not in the list")
        names.discard(name)
    settings = Settings(Blockers(frozenset(names), frozenset(PATH_METHODS)), read_exclude(reader))
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
        return Saying(_THROUGH, f"{module}, in {qualname}, calls {through} on the event loop, which calls {api}")
    return Saying(_CALL, f"{module}, in {qualname}, calls {api} on the event loop")


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
)

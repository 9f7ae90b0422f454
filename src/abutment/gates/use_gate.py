"""How does a gate ask what the code does with the things it names?

A family of uses is a scanner that yields facts, the words in which one reads, and its settings; what all of them share
stands here. `docs/families.md` shows one in a package of a user's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

from abutment.gates.gate import Facts, Gate, Rule
from abutment.gates.scope import Exclude, leaves_out, modules_in_scope, unmatched
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.measurement import Evidence, Measurement, Unused
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program


class UseFact(Protocol):
    """One fact of a family of uses: a frozen dataclass of which all but `site` may be identity."""

    @property
    def module(self) -> str:
        """The module it stands in."""
        ...

    @property
    def site(self) -> Site:
        """Where to look."""
        ...


class UseSettings(Protocol):
    """What every such gate's settings have."""

    @property
    def exclude(self) -> Exclude:
        """The modules that are not judged."""
        ...


@dataclass(frozen=True, slots=True)
class Saying:
    """How one fact reads: its rule, and a clause without a full stop."""

    rule: Rule
    clause: str
    remedy: str = ""  # "" for the gate's own


@dataclass(frozen=True, slots=True)
class Way:
    """How a fact comes about that is not seen at its own place."""

    steps: tuple[str, ...] = ()  # lines for the reader
    places: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class Extra:
    """What a family finds beside its facts."""

    unused: tuple[Unused, ...] = ()
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    covers: tuple[str, ...] = ()


def _always(_fact: Any) -> bool:
    return True


def _at_once(_fact: Any) -> Way:
    return Way()


def _nothing_else(_program: Program, _settings: Any, _facts: Iterable[Any]) -> Extra:
    return Extra()


def use_gate(
    *,
    name: str,
    question: str,
    fields: tuple[str, ...],
    rules: tuple[Rule, ...],
    scan: Callable[[Program, Any], Iterator[Any]],
    say: Callable[[Key, Any], Saying],
    remedy: str,
    read_settings: Callable[[TableReader], Any],
    word: Callable[[Any], str],
    what: Callable[[Any], str],
    counted: Callable[[Any], bool] = _always,
    beside: Callable[[Program, Any, Iterable[Any]], Extra] = _nothing_else,
    way: Callable[[Any], Way] = _at_once,
    direction: Direction = Direction.RATCHET,
    needs_configuration: bool = True,
    asks_exit: bool = False,
    reviewed_only: Callable[[Key], bool] | None = None,
) -> Gate:
    """Return a gate over facts of one family.

    `fields` are the attributes of a fact that are its identity, `module` among them. `say` gives the words for a key
    (also for one that the code lacks), `word` and `what` the columns of `abutment facts --sites`. What `counted` leaves
    out is listed there, and not judged. With `asks_exit`, an approval has to say when it is no longer needed.
    """

    def measure(program: Program, settings: UseSettings, _grants: Grants) -> Measurement:
        facts = [one for one in scan(program, settings) if not leaves_out(settings.exclude, one.module)]
        found: dict[Key, list[Any]] = defaultdict(list)
        for one in filter(counted, facts):
            found[tuple(getattr(one, field) for field in fields)].append(one)

        def describe(key: Key) -> Evidence:
            said = say(key, settings)
            here = sorted(found.get(key, ()), key=_site)
            how = way(here[0]) if here else Way()
            return Evidence(said.rule.id, said.clause, tuple(map(_site, here)), how.steps, said.remedy, how.places)

        extra = beside(program, settings, facts)
        measured = Measurement(
            counts={key: len(facts) for key, facts in found.items()},
            describe=describe,
            looked_at=modules_in_scope(program, settings.exclude),
            unit="modules",
            unused=extra.unused,
            faults=(*unmatched(name, settings.exclude, program.modules), *extra.faults, *_limits(program, settings)),
            notes=extra.notes,
            covers=extra.covers,
        )
        return measured if reviewed_only is None else replace(measured, reviewed_only=reviewed_only)

    return Gate(
        name=name,
        question=question,
        direction=direction,
        fields=fields,
        module_fields=tuple(field for field in fields if field == "module"),
        rules=rules,
        remedy=remedy,
        read_settings=read_settings,
        measure=measure,
        needs_configuration=needs_configuration,
        asks_exit=asks_exit,
        facts=Facts(scan, fields, word, what),
        asks_uses=True,
    )


def _site(fact: UseFact) -> Site:
    return fact.site


def _limits(program: Program, settings: UseSettings) -> Iterator[Fault]:
    """Yield a fault for each module in which a name led too far to be followed."""
    for module in sorted(program.uses.limited):
        if not leaves_out(settings.exclude, module):
            path = program.modules[module].path
            yield Fault(path, 0, f"a name in {module} may stand for more than can be followed.", "Leave it out.")

"""How does a gate ask what the code does with the things it names?

A family of uses is a scanner that yields facts, the words in which one reads, and its settings; what all of them share
stands here. `docs/families.md` shows one in a package of a user's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from abutment.facts.limits import limits
from abutment.gates.gate import Facts, Gate, Rule
from abutment.gates.scope import Exclude, modules_in_scope, selects, unmatched
from abutment.model.fault import Fault
from abutment.model.grants import Grants
from abutment.model.identity import Key
from abutment.model.loosening import ONLY_EXCLUDE, Loosening
from abutment.model.measurement import Evidence, Measurement, Unused
from abutment.model.reading import TableReader
from abutment.model.site import Site
from abutment.model.terms import Direction
from abutment.semantics.program import Program

# Fields that hold a dotted name of whatever is reached, gone through or handed over, in every family that has them.
NAMES = ("target", "through", "handler")


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
class Extra:
    """What a family finds beside its facts."""

    unused: tuple[Unused, ...] = ()
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    covers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """What a reader of one violation should see besides its own places."""

    details: tuple[str, ...] = ()
    through: tuple[Site, ...] = ()  # further places that bring it about


def _always(_fact: Any) -> bool:
    return True


def _nothing_else(_program: Program, _settings: Any, _facts: Iterable[Any]) -> Extra:
    return Extra()


def _nothing_around(_facts: Sequence[Any], _grants: Grants) -> Callable[[Key], Around]:
    return lambda _key: Around()


def _no_faults(_settings: Any, _grants: Grants) -> Iterable[Fault]:
    return ()


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
    around: Callable[[Sequence[Any], Grants], Callable[[Key], Around]] = _nothing_around,
    review: Callable[[Any, Grants], Iterable[Fault]] = _no_faults,
    direction: Direction = Direction.RATCHET,
    has_targets: bool = False,
    needs_configuration: bool = True,
    asks_exit: bool = False,
    reviewed_only: Callable[[Key], bool] | None = None,
    loosening: Loosening = ONLY_EXCLUDE,
    takes_comments: bool = False,
) -> Gate:
    """Return a gate over facts of one family.

    `fields` are the attributes of a fact that are its identity, `module` among them; `qualname` and those of `NAMES`
    follow what they name where it moves. `say` gives the words for a key
    (also for one that the code lacks), `word` and `what` the columns of `abutment facts --sites`. What `counted` leaves
    out is listed there, and not judged. `beside` adds to the whole, `around` to one violation; `review` names what is
    wrong with approvals beyond what is asked of every gate's. With `asks_exit`, an approval of either class has to say
    when it is no longer needed. With `takes_comments` a comment beside a use may grant it.
    """

    def measure(program: Program, settings: UseSettings, grants: Grants) -> Measurement:
        facts = [one for one in scan(program, settings) if not selects(settings.exclude, one.module)]
        judged = list(filter(counted, facts))
        sites: dict[Key, list[Site]] = defaultdict(list)
        for one in judged:
            sites[tuple(getattr(one, field) for field in fields)].append(one.site)
        look_around = around(judged, grants)

        def describe(key: Key) -> Evidence:
            said, more = say(key, settings), look_around(key)
            found = tuple(sorted(sites.get(key, ())))
            return Evidence(said.rule.id, said.clause, found, more.details, said.remedy or remedy, more.through)

        extra = beside(program, settings, facts)
        measured = Measurement(
            counts={key: len(places) for key, places in sites.items()},
            describe=describe,
            looked_at=modules_in_scope(program, settings.exclude),
            unit="modules",
            unused=extra.unused,
            faults=(
                *unmatched(settings.exclude, program.modules),
                *extra.faults,
                *review(settings, grants),
                *(fault for module, fault in limits(program) if not selects(settings.exclude, module)),
            ),
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
        name_fields=tuple(field for field in fields if field in NAMES),
        rules=rules,
        remedy=remedy,
        read_settings=read_settings,
        measure=measure,
        needs_configuration=needs_configuration,
        asks_exit=asks_exit,
        has_targets=has_targets,
        facts=Facts(scan, fields, word, what),
        asks_uses=True,
        loosening=loosening,
        takes_comments=takes_comments,
    )

"""Which identity becomes which? What was asked for, as a function from the keys of one gate to its keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from abutment.baselines.code_names import with_packages
from abutment.baselines.renaming import NameFields, Renaming
from abutment.errors import Refused
from abutment.model.fault import Fault
from abutment.model.identity import Key

Texts = Mapping[str, str]


class Names:
    """Thousands of names that have become others, all at once: of two that fit, the longer one counts."""

    def __init__(self, renamings: Iterable[Renaming] = ()) -> None:
        every = tuple(renamings)
        self._modules = {each.old: each for each in every if not each.home}
        self._definitions = {each.old: each for each in every if each.home}

    def renamed(self, key: Key, places: NameFields) -> Key:
        """Return the key as it is after all of the moves."""
        after = list(key)
        for at in places.modules:
            after[at] = self._of(key[at], self._modules)
        for at in places.names:
            after[at] = self._of(key[at], self._definitions | self._modules)
        if places.scope is not None:
            module, qualname = places.scope
            after[module], after[qualname] = self._of_scope(key[module], key[qualname])
        return tuple(after)

    def _of_scope(self, module: str, qualname: str) -> tuple[str, str]:
        renaming = _longest(f"{module}.{qualname}", self._definitions)
        if renaming is not None and len(renaming.old) > len(module):
            return renaming.of_scope(module, qualname)
        return self._of(module, self._modules), qualname

    @staticmethod
    def _of(name: str, table: Mapping[str, Renaming]) -> str:
        renaming = _longest(name, table)
        return name if renaming is None else renaming.of(name)


def _longest(name: str, table: Mapping[str, Renaming]) -> Renaming | None:
    return next((table[each] for each in with_packages(name) if each in table), None)


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody wants to become of identities, as a whole."""

    names: Names = field(default_factory=Names)
    values: Mapping[tuple[str, str], Texts] = field(default_factory=dict)  # by gate and field: the old value to the new
    fields: Mapping[tuple[str, str], str] = field(default_factory=dict)  # by gate and field before: the field now
    added: Mapping[tuple[str, str], str] = field(default_factory=dict)  # by gate and field now: its value throughout

    def gates(self) -> frozenset[str]:
        """Return the gates that are named."""
        return frozenset(gate for table in (self.values, self.fields, self.added) for gate, _ in table)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What becomes of the identities of one gate."""

    asked: Asked
    fields: tuple[str, ...]  # of the gate, today
    places: NameFields  # by today's fields
    origins: tuple[int | str, ...]  # for each of them: the position that it has in a key before, or its value
    values: Mapping[int, Texts]

    @staticmethod
    def of(
        gate: str, path: str, before: tuple[str, ...], now: tuple[str, ...], places: NameFields, asked: Asked
    ) -> Rewriting:
        """Return it for a document with the fields `before`; raises Refused where they do not become those of `now`."""
        became = {asked.fields.get((gate, name), name): at for at, name in enumerate(before)}
        added = {name: value for (of, name), value in asked.added.items() if of == gate}
        joined = _joined([asked.fields.get((gate, name), name) for name in before])
        absent = [f"the document has no field {old}" for of, old in asked.fields if of == gate and old not in before]
        faults = [*joined, *absent, *_lost(became, now), *_unknown(became, added, now), *_no_field(gate, now, asked)]
        if faults:
            known = f"{gate} has the fields {', '.join(now)}; the document has {', '.join(before)}."
            raise Refused(Fault(path, 1, f"{text}.", known) for text in faults)
        return Rewriting(
            asked=asked,
            fields=now,
            places=places,
            origins=tuple(added.get(name, became.get(name, "")) for name in now),
            values={now.index(name): texts for (of, name), texts in asked.values.items() if of == gate},
        )

    def __call__(self, key: Key) -> Key:
        """Return what the identity is afterwards."""
        moved = tuple(key[origin] if isinstance(origin, int) else origin for origin in self.origins)
        moved = self.asked.names.renamed(moved, self.places)
        if not self.values:
            return moved
        return tuple(self.values[at].get(part, part) if at in self.values else part for at, part in enumerate(moved))


def _joined(names: Sequence[str]) -> list[str]:
    twice = sorted({name for name in names if names.count(name) > 1})
    return [
        f"several fields would become {name}, and facts that differ in one of them would become one" for name in twice
    ]


def _lost(became: Mapping[str, int], now: tuple[str, ...]) -> list[str]:
    lost = sorted(set(became) - set(now))
    return [f"the field {name} would be lost, and facts that differ in it would become one" for name in lost]


def _unknown(became: Mapping[str, int], added: Texts, now: tuple[str, ...]) -> list[str]:
    lacking = [f"the field {name} comes from nowhere" for name in now if name not in became and name not in added]
    foreign = [f"the gate has no field {name} to be added" for name in sorted(set(added) - set(now))]
    twice = [f"the field {name} is there already" for name in sorted(set(added) & set(became))]
    return [*lacking, *foreign, *twice]


def _no_field(gate: str, now: tuple[str, ...], asked: Asked) -> list[str]:
    return [f"the gate has no field {name}" for of, name in asked.values if of == gate and name not in now]

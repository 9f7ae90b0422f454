"""What might a person have meant whose grant nothing in the code answers to? Guesses, told beside a verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from abutment.baselines.code_names import live_names
from abutment.baselines.renames import likely_renames
from abutment.baselines.renaming import Renaming
from abutment.model.identity import Key
from abutment.model.likeness import alike
from abutment.model.violation import Kind, Violation
from abutment.verdicts.verdict import Verdict


def with_hints(verdict: Verdict, module_fields: Sequence[str], modules: Collection[str]) -> Verdict:
    """Return the verdict with a hint at each grant that is gone: a module that was renamed, or a name misspelt.

    `module_fields` are the fields of an identity that hold module names, `modules` the names that the code has.
    """
    gone = {_key(each): each for each in verdict.violations if each.kind is Kind.GONE}
    if not gone:
        return verdict
    new = [_key(each) for each in verdict.violations if each.kind is Kind.NEW]
    fields = [name for name, _value in next(iter(gone.values())).identity]
    places = [at for at, name in enumerate(fields) if name in module_fields]
    renamed = likely_renames(gone, new, places, live_names(modules)) if new else {}
    nearly = _Nearly(fields, new)
    told = (_hinted(violation, renamed, nearly, module_fields, modules) for violation in verdict.violations)
    return replace(verdict, violations=tuple(told))


def _hinted(
    violation: Violation,
    renamed: Mapping[Key, Renaming],
    nearly: _Nearly,
    module_fields: Sequence[str],
    modules: Collection[str],
) -> Violation:
    if violation.kind is not Kind.GONE:
        return violation
    by_hand = violation.document.endswith(".toml")
    renaming = renamed.get(_key(violation))
    if renaming is not None:
        said = f"If {renaming.old} is called {renaming.new} now: `abutment move {renaming.old} {renaming.new}`."
        wrong = f" If it is misspelt: write {renaming.new}." if by_hand else ""
        return replace(violation, remedy=f"{said}{wrong} Otherwise: {violation.remedy}")
    if not by_hand:
        return violation
    names = [value for name, value in violation.identity if name in module_fields]
    details = (*violation.details, *nearly.told(_key(violation)), *_misspelt(names, modules))
    return replace(violation, details=details)


class _Nearly:
    """What is new, by all of its fields but one."""

    def __init__(self, fields: Sequence[str], new: Iterable[Key]) -> None:
        self._fields = fields
        self._values: dict[tuple[int, Key], list[str]] = defaultdict(list)
        for key in new:
            for at, rest in _but_one(key):
                self._values[at, rest].append(str(key[at]))

    def told(self, key: Key) -> Iterator[str]:
        """Yield how a grant differs from what is new, where it does so in one field alone."""
        for at, rest in _but_one(key):
            values = self._values.get((at, rest))
            if values:
                found = " or ".join(sorted(values)[:2])
                yield f"only its {self._fields[at]} differs from what is new there: {found}."


def _but_one(key: Key) -> Iterator[tuple[int, Key]]:
    for at in range(len(key)):
        yield at, (*key[:at], *key[at + 1 :])


def _key(violation: Violation) -> Key:
    return tuple(value for _field, value in violation.identity)


def _misspelt(names: Sequence[str], modules: Collection[str]) -> Iterator[str]:
    """Yield for each name that ought to be one of ours and is none that it is not, and which are near."""
    tops = {module.partition(".")[0] for module in modules}
    for name in names:
        near = alike(name, modules)
        if name and name not in modules and (near or name.partition(".")[0] in tops):
            meant = f"; did you mean {' or '.join(near)}?" if near else "."
            yield f"there is no module {name}{meant}"

"""What might a person have meant whose grant nothing in the code answers to? Guesses, told beside a verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from abutment.baselines.renames import likely_renames
from abutment.baselines.renaming import Renaming
from abutment.model.identity import Key
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
    renamed = likely_renames(gone, new, places, modules)
    told = (_hinted(violation, renamed, module_fields, modules) for violation in verdict.violations)
    return replace(verdict, violations=tuple(told))


def _hinted(
    violation: Violation, renamed: Mapping[Key, Renaming], module_fields: Sequence[str], modules: Collection[str]
) -> Violation:
    if violation.kind is not Kind.GONE:
        return violation
    renaming = renamed.get(_key(violation))
    if renaming is not None:
        said = f"If {renaming.old} is called {renaming.new} now: `abutment move {renaming.old} {renaming.new}`."
        return replace(violation, remedy=f"{said} Otherwise: {violation.remedy}")
    if not violation.document.endswith(".toml"):
        return violation
    names = [value for name, value in violation.identity if name in module_fields]
    return replace(violation, details=(*violation.details, *_misspelt(names, modules)))


def _key(violation: Violation) -> Key:
    return tuple(value for _field, value in violation.identity)


def _misspelt(names: Sequence[str], modules: Collection[str]) -> Iterator[str]:
    """Yield for each name that ought to be one of ours and is none that it is not, and which are near."""
    tops = {module.partition(".")[0] for module in modules}
    for name in names:
        near = get_close_matches(name, modules, n=2)
        if name and name not in modules and (near or name.partition(".")[0] in tops):
            meant = f"; did you mean {' or '.join(near)}?" if near else "."
            yield f"there is no module {name}{meant}"

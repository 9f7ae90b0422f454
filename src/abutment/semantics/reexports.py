"""What do one module's names stand for, one step further?"""

from __future__ import annotations

from abutment.semantics.meaning import Value
from abutment.semantics.names import Names
from abutment.semantics.program import OTHERS


def exports_of(names: Names, module: str) -> dict[str, str]:
    """Return name -> origin of one module: one step for a re-export, the module's own name for a definition.

    `OTHERS` is among the names where there may be more.
    """
    meaning = names.meanings[module]
    found: dict[str, str] = {}
    for name, where in names.every_name(meaning).items():
        last = names.replaced_by(meaning, name) if where == module else where
        found[name] = f"{last}:{name}" if last != module else _origin(names, module, name, meaning.names[name])
    for lazy in meaning.lazy:
        target = names.lazy_target(module, lazy.name)
        if target is not None and lazy.name not in found:
            found[lazy.name] = f"{target[0]}:{target[1]}" if target[1] else target[0]
    if names.may_have_others(module):
        found[OTHERS] = f"{module}:{OTHERS}"
    return found


def _origin(names: Names, module: str, name: str, atoms: Value) -> str:
    own = f"{module}:{name}"
    if len(atoms) == 1 and atoms[0][0] in "?@'~#":
        return own
    certain = [atom for atom in atoms if atom not in ("-", "None")]
    if len(certain) != 1 or certain[0][0] in "?@'~#" or certain[0] in ("True", "False"):
        return own
    base, colon, path = certain[0].partition(":")
    target = names.based(module, base)
    if target is None:
        return own
    if not colon:
        return target
    return _canonical(names, target, path)


def _canonical(names: Names, target: str, path: str) -> str:
    """Return `module:name`, with submodules folded into the module's part."""
    name, dot, rest = path.partition(".")
    while names.attribute(target, name) == {f"{target}.{name}"}:
        target = f"{target}.{name}"
        if not dot:
            return target
        name, dot, rest = rest.partition(".")
    return f"{target}:{name}{dot}{rest}"

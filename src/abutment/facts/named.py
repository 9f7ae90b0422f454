"""Which of the names that a configuration watches mean nothing in this codebase?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from abutment.semantics.program import OTHERS, Program


def home_of(program: Program, name: str) -> str:
    """Return the first-party module that a dotted name is, or stands in; "" for a name outside of the codebase."""
    while name and name not in program.modules:
        name = name.rpartition(".")[0]
    return name


def missing_names(program: Program, names: Iterable[str]) -> Iterator[str]:
    """Yield the names that look first-party and that certainly nothing binds."""
    tops = {name.partition(".")[0] for name in program.modules}
    for name in names:
        if name.partition(".")[0] in tops and not _exists(program, name):
            yield name


def _exists(program: Program, name: str) -> bool:
    home = home_of(program, name)
    if not home or home == name:
        return home == name
    first, _, rest = name[len(home) + 1 :].partition(".")
    bound = program.exports.get(home)
    if bound is None or OTHERS in bound:
        return True
    if first not in bound:
        return False
    found = program.uses.names_in(f"{home}.{first}") if rest else None
    return found is None or found.is_open or rest.partition(".")[0] in found.data | found.definitions

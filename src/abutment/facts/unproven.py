"""In which modules is nothing certain, as their names are written from elsewhere, and where is that done?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from abutment.model.site import Site
from abutment.semantics.program import Program

UNPROVEN = "unproven"  # the word of what may be meant, and is not proven: listed, and not judged
_WRITING = frozenset(("builtins.globals", "builtins.exec", "builtins.vars", "builtins.setattr", "sys.modules"))
_MOST_NAMED = 5


def unproven_notes(program: Program, places: Iterable[tuple[str, Site]], what: str, family: str) -> Iterator[str]:
    """Yield how many calls may be meant and are not proven, and what makes whole modules doubtful.

    `places` are the modules and sites of the calls.
    """
    found = list(places)
    if not found:
        return
    listed = f"`abutment facts {family} --sites` lists them as unproven"
    yield f"not judged, as nobody can prove that they are {what}: {len(found)} call{'s' * (len(found) != 1)}; {listed}."
    causes: dict[str, set[str]] = defaultdict(set)
    for module in {module for module, _ in found}:
        for writer in program.uses.writers_of(module):
            causes[writer].add(module)
    for writer, modules in sorted(causes.items()):
        told = ", ".join(sorted(modules)[:_MOST_NAMED]) + (", …" if len(modules) > _MOST_NAMED else "")
        yield f"nothing is proven in {told}: names there are written by {_place(program, writer, modules)}."


def _place(program: Program, writer: str, modules: set[str]) -> str:
    """Return where a module writes names of other modules, or of itself."""
    sites = [
        use.site
        for use, name in program.uses.of(_WRITING | modules)
        if use.module == writer and (name in _WRITING or use.verb == "set")
    ]
    return f"{writer} ({min(sites).place()})" if sites else writer

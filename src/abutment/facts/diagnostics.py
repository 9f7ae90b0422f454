"""Which things does another tool say of which function, so that one cannot quietly take another's place?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath

from abutment.model.site import Site
from abutment.semantics.program import ModuleKind, Program
from abutment.semantics.scopes import Definitions, definitions_of
from abutment.sources.tools.diagnostic import Diagnostic

_NOTHING = Definitions()
# What moves when something above moves: the number behind "line", positions behind the name of a file, and the line by
# which mypy tells local classes of one name apart: "a.Row@12".
_POSITIONS = re.compile(r"(?P<before>\blines? )\d+(?:-\d+)?|(?P<file>\.pyi?):\d+(?::\d+)?\b|(?P<local>(?<=\w)@)\d+\b")


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that a tool says, told apart by what it says and of which function, not by where that stands."""

    module: str  # dotted; a file that is no module of the codebase goes by its path, relative to the root
    qualname: str  # `<module>` outside of every function and class, and in a file that is no Python
    code: str
    message: str  # without line numbers and positions
    site: Site = field(compare=False)
    placed: bool = field(default=True, compare=False)  # False where nobody could tell in which function it is


def scan_said(
    program: Program, diagnostics: Iterable[Diagnostic], source: Callable[[str], bytes | None]
) -> Iterator[Said]:
    """Yield a fact for each diagnostic; `source` gives a file's bytes, None where it cannot be read."""
    modules = modules_by_path(program)
    definitions = cache(lambda path: _definitions(path, source))
    for one in diagnostics:
        known = definitions(one.path)
        qualname = (known or _NOTHING).at(one.line)
        site = Site(one.path, one.line, one.column, scope=qualname)
        placed = known is not None and one.line > 0
        module = modules.get(one.path, one.path)
        yield Said(module, qualname, one.code, without_positions(one.message), site, placed)


def modules_by_path(program: Program) -> dict[str, str]:
    """Return the module that each file of the codebase is."""
    return {module.path: name for name, module in program.modules.items() if module.kind is not ModuleKind.NAMESPACE}


def path_of(program: Program, module: str) -> str:
    """Return the path of a fact's file: that of its module, or what stands for a file that is none."""
    found = program.modules.get(module)
    return module if found is None or found.kind is ModuleKind.NAMESPACE else found.path


def without_positions(message: str) -> str:
    """Return a message as it reads wherever in a file it is said: `already defined on line #`."""
    return _POSITIONS.sub(_unplaced, message)


def _unplaced(found: re.Match[str]) -> str:
    return f"{found['before'] or found['local'] or found['file'] + ':'}#"


def _definitions(path: str, source: Callable[[str], bytes | None]) -> Definitions | None:
    data, suffix = source(path), PurePosixPath(path).suffix
    return None if data is None or suffix not in {".py", ".pyi"} else definitions_of(data, suffix)

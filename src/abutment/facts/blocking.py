"""Which calls may hold the event loop up?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import Use, canonical

_PATH = "pathlib.Path"


@dataclass(frozen=True, slots=True)
class Blockers:
    """What blocks the thread that calls it."""

    names: frozenset[str]  # dotted: `time.sleep`; `shutil.*` means everything right below
    path_methods: frozenset[str]  # those of `pathlib.Path` that ask the file system

    @property
    def watched(self) -> frozenset[str]:
        """The names to ask the engine for."""
        return frozenset(name.removesuffix(".*") for name in self.names) | {_PATH}

    def name_of(self, path: str) -> str:
        """Return the blocking function that a dotted path is; "" where it is none."""
        if path.startswith(f"{_PATH}."):
            last = path.rpartition(".")[2]
            return f"{_PATH}.{last}" if last in self.path_methods else ""
        parent, _, last = path.rpartition(".")
        if path in self.names:
            return path
        return path if f"{parent}.*" in self.names and not last[:1].isupper() else ""


@dataclass(frozen=True, slots=True, order=True)
class BlockingCall:
    """One call in an `async def` that may block, itself or in a function of this codebase that it calls."""

    module: str
    qualname: str
    target: str  # the blocking function
    through: str  # the function of this codebase that calls it; "" where it is called at once
    site: Site = field(compare=False)
    inner: Site | None = field(compare=False, default=None)  # where that function calls it


def scan_blocking(program: Program, blockers: Blockers) -> Iterator[BlockingCall]:
    """Yield every call that may block and stands in an `async def` itself, and those one call further on.

    What is handed to a worker is no call, nor is what a nested function or lambda does when it is called later.
    """
    helpers: dict[str, dict[str, Site]] = {}  # function -> what it blocks on -> where
    for use, target in _calls(program, blockers):
        if use.is_async:
            yield BlockingCall(use.module, use.site.scope, target, "", use.site)
        elif use.when == "deferred" and use.is_plain:
            helpers.setdefault(f"{use.module}.{use.site.scope}", {}).setdefault(target, use.site)
    yield from _through(program, helpers)


def _calls(program: Program, blockers: Blockers) -> Iterator[tuple[Use, str]]:
    seen: set[tuple[str, Site, str]] = set()
    for use, _ in program.uses.of(blockers.watched):
        if use.verb != "call" or use.is_awaited:
            continue
        for target in sorted({blockers.name_of(canonical(origin)) for origin in use.origins} - {""}):
            if (use.module, use.site, target) not in seen:
                seen.add((use.module, use.site, target))
                yield use, target


def _through(program: Program, helpers: Mapping[str, Mapping[str, Site]]) -> Iterator[BlockingCall]:
    for use, name in program.uses.of(helpers.keys()):
        if use.verb == "call" and use.is_async and name in {canonical(origin) for origin in use.origins}:
            for target, inner in sorted(helpers[name].items()):
                yield BlockingCall(use.module, use.site.scope, target, name, use.site, inner)

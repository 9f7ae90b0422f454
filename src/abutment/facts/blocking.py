"""Which calls may hold the event loop up?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from abutment.model.site import Site
from abutment.semantics.program import Program
from abutment.semantics.uses import Use, canonical

PATH = "pathlib.Path"
_AT_ONCE = frozenset(("False", "#0"))  # as the engine writes constants


@dataclass(frozen=True, slots=True)
class Blockers:
    """What blocks the thread that calls it."""

    names: frozenset[str]  # dotted: `time.sleep`; `shutil.*` means everything right below
    path_methods: frozenset[str]  # those of `pathlib.Path` that ask the file system
    not_waiting: Mapping[str, tuple[str, int]]  # function -> the argument by which it is told not to wait
    not_through: frozenset[str] = frozenset()  # functions of this codebase that are not looked into

    def waits(self, use: Use, name: str) -> bool:
        """Say whether a call of a blocking function is not told, by a constant, to come back at once."""
        if name not in self.not_waiting:
            return True
        keyword, position = self.not_waiting[name]
        given = use.named.get(keyword) or next(iter(use.arguments[position : position + 1]), None)
        return given is None or not given.origins <= _AT_ONCE

    @property
    def watched(self) -> frozenset[str]:
        """The names to ask the engine for."""
        return frozenset(name.removesuffix(".*") for name in self.names) | {PATH}

    def name_of(self, path: str) -> str:
        """Return the blocking function that a dotted path is; "" where it is none."""
        if path.startswith(f"{PATH}."):
            last = path.rpartition(".")[2]
            return f"{PATH}.{last}" if last in self.path_methods else ""
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
    helpers: _Helpers = {}
    for use, target in _calls(program, blockers):
        if use.is_async:
            yield BlockingCall(use.module, use.site.scope, target, "", use.site)
        elif use.when == "deferred" and (use.is_plain or use.site.scope.endswith(_LAMBDA)):
            helpers.setdefault(f"{use.module}.{use.site.scope}", []).append((target, use.site))
    yield from _through(program, {name: found for name, found in helpers.items() if name not in blockers.not_through})


_LAMBDA = "<lambda>"
_Helpers = dict[str, list[tuple[str, Site]]]  # function -> what it blocks on, and where


def _calls(program: Program, blockers: Blockers) -> Iterator[tuple[Use, str]]:
    seen: set[tuple[str, Site, str]] = set()
    for use, _ in program.uses.of(blockers.watched):
        # What is awaited is meant to give an awaitable: of several things that it may be, it is another one.
        if use.verb != "call" or (use.is_awaited and not use.is_certain):
            continue
        for target in sorted({blockers.name_of(canonical(origin)) for origin in use.origins} - {""}):
            if blockers.waits(use, target) and (use.module, use.site, target) not in seen:
                seen.add((use.module, use.site, target))
                yield use, target


def _through(program: Program, helpers: _Helpers) -> Iterator[BlockingCall]:
    """Yield the calls, in an `async def`, of functions that block; a class is called where it is instantiated."""
    called = {name.removesuffix(".__init__"): name for name in helpers} | {name: name for name in helpers}
    for use, name in program.uses.of(called.keys()):
        if use.verb != "call" or not use.is_async or name not in {canonical(origin) for origin in use.origins}:
            continue
        if name.endswith(_LAMBDA):
            yield from _called_at_once(use, helpers[name])
            continue
        first: dict[str, Site] = {}
        for target, inner in helpers[called[name]]:
            first.setdefault(target, inner)
        for target, inner in sorted(first.items()):
            yield BlockingCall(use.module, use.site.scope, target, called[name], use.site, inner)


def _called_at_once(use: Use, helper: list[tuple[str, Site]]) -> Iterator[BlockingCall]:
    """Yield what a lambda does that is called where it stands: other lambdas of the function have its name, too."""
    for target, inner in helper:
        if use.site.holds(inner):
            yield BlockingCall(use.module, use.site.scope, target, "", inner)

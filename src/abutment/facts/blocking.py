"""Which calls may hold the event loop up?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from abutment.facts.handed import InPlace
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
    not_waiting: Mapping[str, tuple[tuple[str, int], ...]]  # function -> the arguments that tell it not to wait
    not_through: frozenset[str] = frozenset()  # functions of this codebase that are not looked into

    def waits(self, use: Use, name: str) -> bool:
        """Say whether a call of a blocking function is not told, by a constant, to come back at once."""
        for keyword, position in self.not_waiting.get(name, ()):
            given = use.argument(keyword, position)
            if given is not None and given.origins <= _AT_ONCE:
                return False
        return True

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
    in_place = InPlace(program)
    helpers: _Helpers = {}
    generators: set[str] = set()
    for use, target in _calls(program, blockers, in_place):
        if use.is_async:
            yield BlockingCall(use.module, use.site.scope, target, "", use.site)
        elif use.when == "deferred" and use.function not in blockers.not_through:
            helpers.setdefault(use.function, []).append((target, use.site))
            if not use.is_plain and not use.site.scope.endswith(_LAMBDA):
                generators.add(use.function)
    yield from _through(program, helpers, generators, in_place)


_LAMBDA = "<lambda>"
_Helpers = dict[str, list[tuple[str, Site]]]  # function -> what it blocks on, and where


def _calls(program: Program, blockers: Blockers, in_place: InPlace) -> Iterator[tuple[Use, str]]:
    seen: set[tuple[str, Site, str]] = set()
    for use, _ in program.uses.of(blockers.watched):
        # What is awaited is meant to give an awaitable: of several things that it may be, it is another one.
        if not _is_run(use, in_place) or (use.is_awaited and not use.is_certain):
            continue
        for target in sorted({blockers.name_of(canonical(origin)) for origin in use.origins} - {""}):
            waits = use.verb != "call" or blockers.waits(use, target)
            if waits and (use.module, use.site, target) not in seen:
                seen.add((use.module, use.site, target))
                yield use, target


def _is_run(use: Use, in_place: InPlace) -> bool:
    return use.verb in ("call", "enter") or in_place.calls(use)


def _through(program: Program, helpers: _Helpers, generators: set[str], in_place: InPlace) -> Iterator[BlockingCall]:
    """Yield what in an `async def` runs a function that blocks, and then what calls one by a decorator of ours."""
    wrappers: dict[str, set[str]] = {}
    for use, reached in program.uses.of({name for helper in helpers for name in _names_of(helper)}):
        if not _is_run(use, in_place) and use.verb != "iterate":
            continue
        # A use is there once for each name that it reaches.
        for name in sorted(one for one in _run_by(use, helpers) if reached in _names_of(one)):
            # A generator runs where it is gone through, or as a context manager where it is entered.
            if (name in generators and not use.is_managed) != (use.verb == "iterate"):
                continue
            if use.is_async:
                yield from _inside(use, name, helpers[name])
            elif use.is_plain and _NESTED in use.site.scope and not use.is_certain:  # what it was handed, perhaps
                wrappers.setdefault(name, set()).add(use.function)
    yield from _wrapped(program, helpers, _decorated(program, wrappers))


_NESTED = ".<locals>."
_MAKER, _CALL = ".__init__", ".__call__"


def _names_of(helper: str) -> Iterator[str]:
    """Yield the names under which a function is called: its own; of what a class or an instance runs, the class's."""
    yield helper
    if helper.endswith((_MAKER, _CALL)):
        yield helper.rpartition(".")[0]


def _run_by(use: Use, helpers: _Helpers) -> set[str]:
    """Return the functions that block and may be run; where something else can be awaited, none of them is."""
    found: set[str] = set()
    for origin in use.origins:
        path = canonical(origin)
        called = {f"{path}{_CALL}"} if origin.endswith("()") else {path, f"{path}{_MAKER}"}
        known = called & helpers.keys()
        if use.is_awaited and use.verb == "call" and not known:
            return set()
        found |= known
    return found


def _decorated(program: Program, wrappers: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the functions, with what calls them, that the function around what calls them decorates."""
    around = {wrapper.rpartition(_NESTED)[0] for found in wrappers.values() for wrapper in found}
    decorated: set[str] = set()
    for use, _ in program.uses.of(around):
        if use.verb == "decorate":
            decorated.update(canonical(origin) for one in use.arguments for origin in one.origins)
    return {name: found for name, found in wrappers.items() if name in decorated}


def _wrapped(program: Program, helpers: _Helpers, wrappers: dict[str, set[str]]) -> Iterator[BlockingCall]:
    """Yield the calls of what a decorator of this codebase made of a function, where that calls the function."""
    for use, name in program.uses.of(wrappers, through=True):
        called = {canonical(origin) for origin in use.origins}
        is_other = use.is_awaited and not called <= wrappers[name]
        if use.verb == "call" and use.is_async and called & wrappers[name] and not is_other:
            yield from _inside(use, name, helpers[name])


def _inside(use: Use, name: str, helper: list[tuple[str, Site]]) -> Iterator[BlockingCall]:
    """Yield what a function does that blocks, each thing once; what a lambda does is done where it stands."""
    if _LAMBDA in name.rpartition(".")[2]:
        yield from (BlockingCall(use.module, use.site.scope, target, "", inner) for target, inner in helper)
        return
    first: dict[str, Site] = {}
    for target, inner in helper:
        first.setdefault(target, inner)
    for target, inner in sorted(first.items()):
        yield BlockingCall(use.module, use.site.scope, target, name, use.site, inner)

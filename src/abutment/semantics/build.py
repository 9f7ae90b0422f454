"""How does a universe of files become a program?

Each file is read once and hashed; what the cache does not know is parsed, in worker processes where that pays;
then the whole is linked. A tree of which every byte is known is loaded as one program.
"""

from __future__ import annotations

import gc
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.semantics.cache import Cache, Key
from abutment.semantics.grammar import GRAMMAR
from abutment.semantics.program import Blind, BlindSpot, Module, ModuleKind, Program
from abutment.semantics.storing import packed_program, unpacked_program
from abutment.sources.tree import Tree
from abutment.sources.universe import SourceFile, Universe

_WORTH_WORKERS = 1_500_000  # bytes to parse; below it, starting processes takes longer than they save


def build_program(universe: Universe, tree: Tree, *, cache: Cache | None = None, jobs: int = 1) -> Program:
    """Return the program that the universe's files make.

    A file that cannot be read or parsed is in `unread`, its module known but its names not. Raises NotJudged only
    where a worker process was lost.
    """
    with _without_collector():
        sources = _read(universe, tree)
        if cache is None:
            return _linked(universe, sources, _parsed(sources.files, {}, jobs))[0]
        return _cached(universe, sources, cache, jobs)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Switch the cycle collector off: a scan makes no cycles, and looking for them takes a tenth of its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True, slots=True)
class _Sources:
    """Every file's bytes, and why some have none."""

    files: tuple[tuple[SourceFile, bytes], ...]
    faults: Mapping[str, Fault]  # by path


def _read(universe: Universe, tree: Tree) -> _Sources:
    files: list[tuple[SourceFile, bytes]] = []
    faults: dict[str, Fault] = {}
    for file in universe.files:
        try:
            files.append((file, tree.read(file.path)))
        except NotJudged as error:
            faults[file.path] = error.faults[0]
    return _Sources(tuple(files), faults)


def _cached(universe: Universe, sources: _Sources, cache: Cache, jobs: int) -> Program:
    keys = [cache.key(source, file.module, file.is_package, file.suffix) for file, source in sources.files]
    digest = _digest(universe, sources, keys)
    stored = cache.linked(digest)
    if stored is not None:
        return unpacked_program(stored)
    known = cache.meanings(keys)
    blobs = _parsed(sources.files, {at: known[key] for at, key in enumerate(keys) if key in known}, jobs)
    program, passing = _linked(universe, sources, blobs)
    lasting = {key: blob for at, (key, blob) in enumerate(zip(keys, blobs, strict=True)) if at not in passing}
    if any(key not in known for key in lasting):
        cache.keep_meanings(lasting)
    if not passing:
        cache.keep_linked(digest, packed_program(program))
    return program


def _digest(universe: Universe, sources: _Sources, keys: Sequence[Key]) -> bytes:
    """Return what a whole program is known by: all that `_linked` reads."""
    digest = hashlib.blake2b(digest_size=16)
    for (file, _), key in zip(sources.files, keys, strict=True):
        digest.update(key)
        digest.update(f"{file.path}\0{file.role.value}\n".encode("utf-8", "surrogatepass"))
    rest = (
        [(one.module, one.path, one.kind, one.is_package, one.role.value) for one in universe.known],
        [(file.module, file.path, file.is_package) for file in universe.files if file.path in sources.faults],
        universe.shadows,
        universe.case_pairs,
        sorted(universe.top_names),
        sorted(sources.faults.values()),
        universe.not_judged,
    )
    digest.update(repr(rest).encode("utf-8", "surrogatepass"))
    return digest.digest()


def _parsed(files: Sequence[tuple[SourceFile, bytes]], known: Mapping[int, bytes], jobs: int) -> list[bytes]:
    """Return every file's packed meaning, parsing those that are not known."""
    blobs = [known.get(at, b"") for at in range(len(files))]
    tasks = [
        (at, source, file.module, file.is_package, file.suffix)
        for at, (file, source) in enumerate(files)
        if at not in known
    ]
    if not tasks:
        return blobs
    if jobs > 1 and _can_start_workers() and sum(len(task[1]) for task in tasks) >= _WORTH_WORKERS:
        from abutment.semantics.workers import packed_meanings

        for at, blob in packed_meanings(tasks, jobs):
            blobs[at] = blob
    else:
        from abutment.semantics.work import packed_meaning

        for task in tasks:
            blobs[task[0]] = packed_meaning(task)
    return blobs


def _can_start_workers() -> bool:
    """Say whether `sys.executable` is an interpreter; of a frozen program it is the program."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _linked(universe: Universe, sources: _Sources, blobs: Sequence[bytes]) -> tuple[Program, frozenset[int]]:
    """Return the program, and the numbers of the files of which another run may say something else."""
    from abutment.semantics.link import link
    from abutment.semantics.meaning import Meaning
    from abutment.semantics.work import unpacked_meaning

    meanings: list[Meaning] = []
    faults = dict(sources.faults)
    passing: set[int] = set()
    for at, ((file, _), blob) in enumerate(zip(sources.files, blobs, strict=True)):
        found = unpacked_meaning(blob)
        if isinstance(found, Meaning):
            meanings.append(found)
            continue
        faults[file.path] = Fault(file.path, found.line, found.message, found.remedy)
        if not found.lasting:
            passing.add(at)
    program = link(
        modules_of(universe, faults),
        meanings,
        universe.top_names,
        GRAMMAR,
        blind=blind_spots(universe),
        unread=(*faults.values(), *universe.not_judged),
    )
    return program, frozenset(passing)


def modules_of(universe: Universe, unread: Iterable[str]) -> dict[str, Module]:
    """Return every first-party module by name; `unread` holds the paths of files that could not be read."""
    paths = frozenset(unread)
    found = {
        one.module: Module(one.module, one.path, ModuleKind(one.kind), one.is_package, one.role.value)
        for one in universe.known
    }
    for file in universe.files:
        found[file.module] = Module(file.module, file.path, _kind(file, paths), file.is_package, file.role.value)
    return found


def _kind(file: SourceFile, unread: frozenset[str]) -> ModuleKind:
    if file.path in unread:
        return ModuleKind.UNREAD
    return ModuleKind.STUB if file.suffix == ".pyi" else ModuleKind.SOURCE


def blind_spots(universe: Universe) -> Iterator[BlindSpot]:
    """Yield what discovery already knows the graph cannot be sure of."""
    for shadow in universe.shadows:
        yield BlindSpot(Blind.SHADOWED, shadow.module, shadow.by, Site(shadow.path))
    for pair in universe.case_pairs:
        yield BlindSpot(Blind.CASE_PAIR, pair.module, pair.other, Site(pair.path))

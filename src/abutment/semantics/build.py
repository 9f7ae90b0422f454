"""How does a universe of files become a program?

Each file is read once and hashed; what the cache does not know is parsed, in worker processes where that pays;
then the whole is linked. A tree of which every byte is known is loaded as one program, and one of which some files
were edited is linked from the last program with the same modules, as far as that gives what linking anew would.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.semantics.cache import FOOTING, KEYS, LINKED, PROGRAM, Cache, Key, Parts
from abutment.semantics.exports import Exports
from abutment.semantics.grammar import GRAMMAR
from abutment.semantics.program import Blind, BlindSpot, Module, ModuleKind, Program
from abutment.semantics.shelf import CachedAnswers
from abutment.semantics.storing import packed_program, unpacked_program
from abutment.semantics.texts import Parse, Texts, task_of
from abutment.semantics.uses import Known, Shelf, Uses
from abutment.sources.tree import Tree
from abutment.sources.universe import SourceFile, Universe

if TYPE_CHECKING:
    from abutment.semantics.link import Linked

_WORTH_WORKERS = 1_500_000  # bytes to parse; below it, starting processes takes longer than they save


def build_program(
    universe: Universe, tree: Tree, *, cache: Cache | None = None, jobs: int = 1, uses: bool = False
) -> Program:
    """Return the program that the universe's files make.

    `uses` says that somebody will ask for uses, so that files are read for them at once; asked later, they are read
    again.

    A file that cannot be read or parsed is in `unread`, its module known but its names not. Raises NotJudged only
    where a worker process was lost.
    """
    sources = _read(universe, tree)
    parse = partial(_parsed, sources.files, jobs)
    if cache is None:
        return _uncached(universe, sources, parse, uses)
    return _cached(universe, sources, cache, parse, uses)


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


def _cached(universe: Universe, sources: _Sources, cache: Cache, parse: Parse, uses: bool) -> Program:
    keys = [cache.key(source, file.module, file.is_package, file.suffix) for file, source in sources.files]
    name = _shape(universe, sources), _digest(keys)
    texts = Texts(sources.files, keys, cache, parse)
    shelf = CachedAnswers(cache, texts, *name, b"".join(keys))
    stored = cache.whole(LINKED, *name)
    loaded = _loaded(stored, texts) if stored is not None else None
    if loaded is not None and stored is not None:
        return _with_uses(loaded, texts, lambda: stored.part(FOOTING), shelf)
    texts.parse_unknown(uses)
    before = cache.whole_before(LINKED, name[0])
    found = _edited(universe, texts, before) if before is not None else None
    program, footing = found or _all_linked(universe, sources, texts)
    lasting = texts.keep()
    if lasting:
        cache.keep_whole(LINKED, *name, {PROGRAM: packed_program(program), FOOTING: footing, KEYS: b"".join(keys)})
    return _with_uses(program, texts, lambda: footing, shelf if lasting else None)


def _with_uses(program: Program, texts: Texts, footing: Callable[[], bytes | None], shelf: Shelf | None) -> Program:
    """Return the program with what it does with what it names, which is loaded when somebody asks."""

    def load() -> Known:
        return Known(texts.names(program.modules, footing()), texts.provenances(program.modules))

    return replace(program, uses=Uses(load, shelf))


def _uncached(universe: Universe, sources: _Sources, parse: Parse, uses: bool) -> Program:
    from abutment.semantics.meanings import Meanings
    from abutment.semantics.names import Names
    from abutment.semantics.work import parted, unpacked_provenance

    blobs = parse(range(len(sources.files)), uses)
    program = _linked(universe, sources, [blobs[at] for at in range(len(blobs))]).program
    numbers = {file.module: at for at, (file, _) in enumerate(sources.files)}
    read = {module: at for module, at in numbers.items() if program.modules[module].kind is not ModuleKind.UNREAD}

    def load() -> Known:
        whole = blobs if uses else parse(tuple(read.values()), True)
        names = Names(program.modules, Meanings(read, lambda at: parted(blobs[at])[0]))
        return Known(names, {module: unpacked_provenance(parted(whole[at])[1]) for module, at in read.items()})

    return replace(program, uses=Uses(load))


def _shape(universe: Universe, sources: _Sources) -> bytes:
    """Return what stands for all that `_linked` reads, the files' texts aside."""
    about = (
        [(file.module, file.path, file.is_package, file.suffix, file.role.value) for file, _ in sources.files],
        [(one.module, one.path, one.kind, one.is_package, one.role.value) for one in universe.known],
        [(file.module, file.path, file.is_package) for file in universe.files if file.path in sources.faults],
        universe.shadows,
        universe.case_pairs,
        sorted(universe.top_names),
        sorted(sources.faults.values()),
        universe.not_judged,
    )
    return hashlib.blake2b(repr(about).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _digest(keys: Sequence[Key]) -> bytes:
    return hashlib.blake2b(b"".join(keys), digest_size=16).digest()


def _loaded(parts: Parts, texts: Texts) -> Program | None:
    """Return a program as it was stored; None where it is damaged."""
    data = parts.part(PROGRAM)
    if data is None:
        return None
    return unpacked_program(data, lambda modules: Exports(lambda: texts.names(modules, parts.part(FOOTING))))


def _edited(universe: Universe, texts: Texts, before: Parts) -> tuple[Program, bytes] | None:
    """Return the program and its footing, linked from the one before; None where all has to be linked."""
    from abutment.semantics.footing import packed_footing, unpacked_footing
    from abutment.semantics.relink import relinked

    edits = texts.edits_since(before.part(KEYS) or b"")
    program, footing = _loaded(before, texts), before.part(FOOTING)
    if edits is None or program is None or footing is None:
        return None
    meanings = texts.meanings(program.modules)
    found = relinked(program, unpacked_footing(footing), edits, meanings, universe.top_names)
    return (found[0], packed_footing(found[1])) if found is not None else None


def _all_linked(universe: Universe, sources: _Sources, texts: Texts) -> tuple[Program, bytes]:
    from abutment.semantics.footing import footing_of, packed_footing

    linked = _linked(universe, sources, texts.all_packed())
    return linked.program, packed_footing(footing_of(linked))


def _parsed(
    files: Sequence[tuple[SourceFile, bytes]], jobs: int, wanted: Sequence[int], uses: bool
) -> dict[int, bytes]:
    """Return what these files say, packed, by their number; what they do only where uses are wanted."""
    tasks = [task_of(at, *files[at], uses) for at in wanted]
    if jobs > 1 and _can_start_workers() and sum(len(task[1]) for task in tasks) >= _WORTH_WORKERS:
        from abutment.semantics.workers import packed_meanings

        return dict(packed_meanings(tasks, jobs))
    if not tasks:
        return {}
    from abutment.semantics.work import packed_meaning

    return {task[0]: packed_meaning(task) for task in tasks}


def _can_start_workers() -> bool:
    """Say whether `sys.executable` is an interpreter; of a frozen program it is the program."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _linked(universe: Universe, sources: _Sources, blobs: Sequence[bytes]) -> Linked:
    from abutment.semantics.link import link
    from abutment.semantics.meaning import Meaning
    from abutment.semantics.work import parted, unpacked_meaning

    meanings: list[Meaning] = []
    faults = dict(sources.faults)
    for (file, _), blob in zip(sources.files, blobs, strict=True):
        found = unpacked_meaning(parted(blob)[0])
        if isinstance(found, Meaning):
            meanings.append(found)
        else:
            faults[file.path] = Fault(file.path, found.line, found.message, found.remedy)
    return link(
        modules_of(universe, faults),
        meanings,
        universe.top_names,
        GRAMMAR,
        blind=blind_spots(universe),
        unread=(*faults.values(), *universe.not_judged),
    )


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

"""What was worked out before, by content? This module alone writes the cache.

Three kinds of file lie below the cache's directory, both named by what they hold and never changed in place:

- `*.pack`: packed meanings of one project's files, by key. A run that misses some writes them into a small pack beside
  the large one, and makes one of the two when the small one is no longer small.
- `*.answers`: what was found out about the uses of a whole program, by question, with what that depends on.
- `*.linked`: a whole program, by the digest of the modules there are and that of all keys: an unchanged tree is one
  file to load, and an edited one starts from the newest with the same modules.

Both consist of parts that can be read one by one, each with a checksum of its own. What is truncated, damaged or
foreign is ignored. A write that fails is noted, never fatal. Everything is keyed by the tool's version, the engine's
own text, and the interpreter, so nothing stale can be read.
"""

from __future__ import annotations

import hashlib
import os
import struct
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path

from abutment.semantics.grammar import FORMAT, GRAMMAR
from abutment.sources.plain_file import opened

Key = bytes  # 16 bytes
# The parts of a linked file, and of one of answers, whose others are named by questions.
PROGRAM, FOOTING, KEYS, LOOKED = (name.ljust(16) for name in (b"program", b"footing", b"keys", b"looked"))

LINKED, ANSWERS = "linked", "answers"

_FOLDER = "meanings-"
_KEY, _SUM, _COUNT = 16, 16, 4
_PART = struct.Struct(f">{_KEY}s{_SUM}sI")  # of each part: key, checksum, size
_MOST_BYTES = 512 * 1024 * 1024
_ABANDONED = 3_600 * 10**9  # nanoseconds after which a half-written file is nobody's
_STALE_SHARE = 1  # a pack keeps as many entries of other revisions as it has current ones
_SMALL_SHARE = 8  # a small pack has at most an eighth of the entries of the large one that it belongs to


class Cache:
    """The cache in one directory, for one version of the tool. `notes` says what could not be written."""

    def __init__(self, directory: Path, version: str, *, most_bytes: int = _MOST_BYTES) -> None:
        self.directory, self.most_bytes = directory, most_bytes
        self.notes: list[str] = []
        self._tag = f"{version}\0{FORMAT}\0{GRAMMAR}\0{sys.byteorder}\0{sys.version}".encode()
        self._folder: Path | None = None

    def key(self, source: bytes, module: str, is_package: bool, suffix: str) -> Key:
        """Return what a file's meaning is known by."""
        named = f"{module}\0{int(is_package)}{suffix}\0".encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(named, digest_size=_KEY)
        digest.update(source)
        return digest.digest()

    # ---- meanings

    def meanings(self, keys: Iterable[Key]) -> Packs:
        """Return those packs in which most of the meanings for these keys are; none where none is known."""
        wanted = set(keys)
        families: dict[str, list[Parts]] = {}
        for path in self._files("*.pack"):
            pack = Parts.opened(path)
            if pack is not None:
                families.setdefault(path.stem.partition("-")[0], []).append(pack)
        found = [Packs(name, packs) for name, packs in families.items()]
        best = max(found, key=lambda one: one.shared(wanted), default=_NOTHING)
        if not best.shared(wanted):
            return _NOTHING
        for pack in best.packs:
            _touch(pack.path)
        return best

    def keep_meanings(self, known: Packs, wanted: Sequence[Key], fresh: Mapping[Key, bytes]) -> None:
        """Write the fresh meanings beside the known ones, so that all that are wanted are there."""
        small = {key: blob for pack in known.small for key, blob in pack.parts(pack.keys).items()}
        if known.large is not None and len(small) + len(fresh) <= len(known.large.keys) // _SMALL_SHARE:
            added = {**small, **fresh}
            written = self._write(f"{known.name}-{_name(added)}.pack", added)
            outdated = known.small
        else:
            added = self._whole(known, wanted, fresh)
            written = self._write(f"{_name(added)}.pack", added)
            outdated = known.packs
        for pack in outdated if written else ():
            self._remove(pack.path, but=written)

    @staticmethod
    def _whole(known: Packs, wanted: Sequence[Key], fresh: Mapping[Key, bytes]) -> dict[Key, bytes]:
        """Return all that is wanted, together with some of what was wanted once."""
        old = {key: blob for pack in known.packs for key, blob in pack.parts(pack.keys).items()}
        whole = {key: fresh.get(key) or old.get(key) for key in wanted}
        kept = {key: blob for key, blob in whole.items() if blob is not None}
        room = max(len(kept) * _STALE_SHARE, 64)
        others = [key for key in old if key not in kept]
        kept.update((key, old[key]) for key in others[:room])
        return kept

    # ---- programs

    def whole(self, kind: str, shape: bytes, digest: bytes) -> Parts | None:
        """Return what is kept of a whole program: `shape` stands for its modules, `digest` for their texts.

        `kind` is LINKED for the program itself, ANSWERS for what was found out about its uses, by question.
        """
        return self._in_use(self._below() / _whole_name(kind, shape, digest))

    def whole_before(self, kind: str, shape: bytes) -> Parts | None:
        """Return the same of the newest program with these modules."""
        found = max(_sized(self._files(f"{shape.hex()}-*.{kind}")), default=None)
        return self._in_use(found[2]) if found is not None else None

    def keep_whole(self, kind: str, shape: bytes, digest: bytes, parts: Mapping[Key, bytes]) -> None:
        """Write what is to be kept of a whole program."""
        self._write(_whole_name(kind, shape, digest), parts)

    @staticmethod
    def _in_use(path: Path) -> Parts | None:
        parts = Parts.opened(path)
        if parts is not None:
            _touch(path)
        return parts

    # ---- files

    def _below(self) -> Path:
        if self._folder is None:
            digest = hashlib.blake2b(self._tag, digest_size=8)
            for path in sorted(Path(__file__).parent.glob("*.py")):
                digest.update(path.read_bytes())
            self._folder = self.directory / f"{_FOLDER}{digest.hexdigest()}"
        return self._folder

    def _files(self, pattern: str) -> list[Path]:
        try:
            return sorted(self._below().glob(pattern))
        except OSError:
            return []

    def _write(self, name: str, parts: Mapping[Key, bytes]) -> str:
        """Write a file whole or not at all, and return its name; "" where it could not be written."""
        try:
            folder = self._below()
            folder.mkdir(parents=True, exist_ok=True)
            temporary = folder / f"{os.getpid()}-{os.urandom(8).hex()}.part"
            try:
                with temporary.open("xb") as file:
                    file.write(_head(parts))
                    file.writelines(parts.values())
                temporary.replace(folder / name)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            self._prune(folder / name)
        except OSError as error:
            self.notes.append(f"The cache could not be written: {error}.")
            return ""
        return name

    def _prune(self, newest: Path) -> None:
        """Remove what was used longest ago until the cache is small enough again."""
        for used, _, path in _sized(self.directory.glob(f"{_FOLDER}*/*.part")):
            if used < time.time_ns() - _ABANDONED:
                path.unlink(missing_ok=True)
        ours = (
            path for suffix in ("pack", "linked", "answers") for path in self.directory.glob(f"{_FOLDER}*/*.{suffix}")
        )
        found = sorted(_sized(ours))
        total = sum(size for _, size, _ in found)
        for _, size, path in found:
            if total <= self.most_bytes:
                return
            if path != newest:
                path.unlink(missing_ok=True)
                total -= size

    def _remove(self, path: Path, *, but: str) -> None:
        if path.name != but:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                self.notes.append(f"The cache could not be tidied: {error}.")


class Parts:
    """One file of the cache: what it holds by key, read when it is asked for and checked then."""

    def __init__(self, path: Path, places: Mapping[Key, tuple[bytes, int, int]]) -> None:
        """Take the place of each part: checksum, beginning, size."""
        self.path, self._places = path, places

    @staticmethod
    def opened(path: Path) -> Parts | None:
        """Return the file at the path; None where there is none that can be trusted."""
        try:
            with opened(path) as file:
                start = file.read(_SUM + _COUNT)
                size = int.from_bytes(start[_SUM:], "big") * _PART.size
                rest = file.read(size) if size <= os.fstat(file.fileno()).st_size else b""
        except OSError:
            return None
        if len(rest) != size or _sum(start[_SUM:] + rest) != start[:_SUM]:
            return None
        rows = list(_PART.iter_unpack(rest))
        begins = accumulate((size for _, _, size in rows), initial=len(start) + len(rest))
        return Parts(path, {key: (total, at, size) for (key, total, size), at in zip(rows, begins, strict=False)})

    @property
    def keys(self) -> Collection[Key]:
        """The keys of all parts."""
        return self._places.keys()

    def part(self, key: Key) -> bytes | None:
        """Return one part; None where there is none, or it is damaged."""
        return self.parts((key,)).get(key)

    def parts(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        """Return those of the parts that are there and whole."""
        places = sorted((self._places[key][1:], key) for key in keys if key in self._places)
        found: dict[Key, bytes] = {}
        try:
            with opened(self.path) as file:
                for (begin, size), key in places:
                    if file.tell() != begin:
                        file.seek(begin)
                    found[key] = file.read(size)
        except OSError:
            return {}
        return {key: part for key, part in found.items() if _sum(part) == self._places[key][0]}


class Packs:
    """The packed meanings of one project's files: one large pack, and small ones that were added since."""

    def __init__(self, name: str, packs: Sequence[Parts]) -> None:
        self.name = name
        self.large = next((pack for pack in packs if pack.path.stem == name), None)
        self.small = tuple(pack for pack in packs if pack is not self.large)
        # What stands in a small one as well was damaged in the large one.
        self.packs = self.small if self.large is None else (self.large, *self.small)
        self._pack_of = {key: pack for pack in self.packs for key in pack.keys}

    def shared(self, wanted: Iterable[Key]) -> int:
        """Return how many of these keys are known."""
        return sum(key in self._pack_of for key in wanted)

    def __contains__(self, key: object) -> bool:
        return key in self._pack_of

    def get(self, key: Key) -> bytes | None:
        """Return one packed meaning; None where it is not known, or no longer."""
        pack = self._pack_of.get(key)
        return pack.part(key) if pack is not None else None

    def several(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        """Return those of the packed meanings that are known."""
        wanted = tuple(keys)
        return {key: blob for pack in self.packs for key, blob in pack.parts(wanted).items()}


_NOTHING = Packs("", ())


def _touch(path: Path) -> None:
    """Say that a file is in use: what was used last is pruned last."""
    with suppress(OSError):  # of a cache that can only be read nothing is pruned
        os.utime(path)


def _whole_name(kind: str, shape: bytes, digest: bytes) -> str:
    return f"{shape.hex()}-{digest.hex()}.{kind}"


def _sized(paths: Iterable[Path]) -> Iterator[tuple[int, int, Path]]:
    """Yield (time of last use, size, path) of every file that is there."""
    for path in paths:
        try:
            status = path.stat()
        except FileNotFoundError:
            continue  # another run removed it
        yield status.st_mtime_ns, status.st_size, path


def _name(parts: Mapping[Key, bytes]) -> str:
    """Return the name of a pack: keys go by content, so they stand for what it holds."""
    return hashlib.blake2b(b"".join(parts), digest_size=8).hexdigest()


def _sum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_SUM).digest()


def _head(parts: Mapping[Key, bytes]) -> bytes:
    """Return what stands before the parts: a checksum of itself, how many there are, and of each key, sum and size."""
    rows = b"".join(_PART.pack(key, _sum(part), len(part)) for key, part in parts.items())
    head = len(parts).to_bytes(_COUNT, "big") + rows
    return _sum(head) + head

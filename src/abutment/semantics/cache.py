"""What was worked out before, by content? This module alone writes the cache.

Two kinds of file lie below the cache's directory, both named by what they hold and never changed in place:

- `*.pack`: packed meanings of one project's files, by key. A run that misses some writes one new pack.
- `*.linked`: a whole program, by the digest of all its keys: an unchanged tree is one file to load.

A file that is truncated, damaged or foreign is ignored. A write that fails is noted, never fatal. Everything is
keyed by the tool's version, the engine's own text, and the interpreter, so nothing stale can be read.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from abutment.semantics.grammar import FORMAT, GRAMMAR
from abutment.sources.plain_file import content, opened

Key = bytes  # 16 bytes

_FOLDER = "meanings-"
_KEY, _SUM = 16, 16
_MOST_BYTES = 512 * 1024 * 1024
_ABANDONED = 3_600 * 10**9  # nanoseconds after which a half-written file is nobody's
_STALE_SHARE = 1  # a pack keeps as many entries of other revisions as it has current ones


class Cache:
    """The cache in one directory, for one version of the tool. `notes` says what could not be written."""

    def __init__(self, directory: Path, version: str, *, most_bytes: int = _MOST_BYTES) -> None:
        self.directory, self.most_bytes = directory, most_bytes
        self.notes: list[str] = []
        self._tag = f"{version}\0{FORMAT}\0{GRAMMAR}\0{sys.byteorder}\0{sys.version}".encode()
        self._folder: Path | None = None
        self._pack: tuple[Path, dict[Key, bytes]] | None = None

    def key(self, source: bytes, module: str, is_package: bool, suffix: str) -> Key:
        """Return what a file's meaning is known by."""
        named = f"{module}\0{int(is_package)}{suffix}\0".encode("utf-8", "surrogatepass")
        digest = hashlib.blake2b(named, digest_size=_KEY)
        digest.update(source)
        return digest.digest()

    # ---- meanings

    def meanings(self, keys: Iterable[Key]) -> Mapping[Key, bytes]:
        """Return the packed meanings known for these keys (and perhaps more)."""
        wanted = set(keys)
        best, most = None, 0
        for path in self._files("*.pack"):
            shared = len(wanted.intersection(_pack_keys(path)))
            if shared > most:
                best, most = path, shared
        self._pack = (best, _read_pack(best)) if best is not None else None
        if best is not None:
            _touch(best)
        return self._pack[1] if self._pack else {}

    def keep_meanings(self, current: Mapping[Key, bytes]) -> None:
        """Write one pack of these meanings, together with some of the pack they were found in."""
        old = self._pack
        kept = dict(current)
        if old is not None:
            room = max(len(current) * _STALE_SHARE, 64)
            others = [key for key in old[1] if key not in kept]
            kept.update((key, old[1][key]) for key in others[:room])
        body = _packed(kept)
        if self._write(f"{_name(body)}.pack", body) and old is not None:
            self._remove(old[0], but=f"{_name(body)}.pack")

    # ---- programs

    def linked(self, digest: bytes) -> bytes | None:
        """Return a whole program's bytes."""
        path = self._below() / f"{digest.hex()}.linked"
        try:
            found = _checked(content(path))
        except OSError:
            return None
        if found is not None:
            _touch(path)
        return found

    def keep_linked(self, digest: bytes, body: bytes) -> None:
        """Write a whole program's bytes."""
        self._write(f"{digest.hex()}.linked", body)

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

    def _write(self, name: str, body: bytes) -> bool:
        """Write a file whole or not at all, and say whether it is there."""
        try:
            folder = self._below()
            folder.mkdir(parents=True, exist_ok=True)
            temporary = folder / f"{os.getpid()}-{os.urandom(8).hex()}.part"
            try:
                with temporary.open("xb") as file:
                    file.write(hashlib.blake2b(body, digest_size=_SUM).digest())
                    file.write(body)
                temporary.replace(folder / name)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            self._prune(folder / name)
        except OSError as error:
            self.notes.append(f"The cache could not be written: {error}.")
            return False
        return True

    def _prune(self, newest: Path) -> None:
        """Remove what was used longest ago until the cache is small enough again."""
        for used, _, path in _sized(self.directory, (".part",)):
            if used < time.time_ns() - _ABANDONED:
                path.unlink(missing_ok=True)
        found = sorted(_sized(self.directory, (".pack", ".linked")))
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


def _touch(path: Path) -> None:
    """Say that a file is in use: what was used last is pruned last."""
    with suppress(OSError):  # of a cache that can only be read nothing is pruned
        os.utime(path)


def _sized(directory: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[int, int, Path]]:
    """Yield (time of last use, size, path) of every file of ours with such a suffix."""
    for suffix in suffixes:
        for path in directory.glob(f"{_FOLDER}*/*{suffix}"):
            try:
                status = path.stat()
            except FileNotFoundError:
                continue  # another run removed it
            yield status.st_mtime_ns, status.st_size, path


def _name(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=8).hexdigest()


def _checked(data: bytes) -> bytes | None:
    body = data[_SUM:]
    return body if hashlib.blake2b(body, digest_size=_SUM).digest() == data[:_SUM] else None


def _packed(entries: Mapping[Key, bytes]) -> bytes:
    """Return count, keys, sizes and blobs in one."""
    sizes = b"".join(len(blob).to_bytes(4, "big") for blob in entries.values())
    return b"".join((len(entries).to_bytes(4, "big"), *entries, sizes, *entries.values()))


def _pack_keys(path: Path) -> list[Key]:
    """Return a pack's keys without reading the rest; whether it is whole is seen when it is loaded."""
    try:
        with opened(path) as file:
            count = int.from_bytes(file.read(_SUM + 4)[_SUM:], "big")
            if count * (_KEY + 4) > path.stat().st_size:
                return []
            keys = file.read(count * _KEY)
    except OSError:
        return []
    return [keys[at : at + _KEY] for at in range(0, len(keys), _KEY)]


def _read_pack(path: Path) -> dict[Key, bytes]:
    try:
        body = _checked(content(path))
    except OSError:
        return {}
    if body is None:
        return {}
    count = int.from_bytes(body[:4], "big")
    found: dict[Key, bytes] = {}
    at, sizes = 4 + count * (_KEY + 4), 4 + count * _KEY
    for index in range(count):
        size = int.from_bytes(body[sizes + index * 4 : sizes + index * 4 + 4], "big")
        found[body[4 + index * _KEY : 4 + index * _KEY + _KEY]] = body[at : at + size]
        at += size
    return found

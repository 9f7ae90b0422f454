"""What would an earlier configuration say if it had known today's module names?

Roots may be written otherwise as long as every file is judged under the name that it had.

A module that was renamed or deleted takes its name out of the configuration; that is no loosening. Believed is only
what the two codebases show: a name that stands in the earlier configuration, and is a module only there; and that the
module of the new name reads like it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from abutment.guard.codebase import Code, Codebase
from abutment.guard.named_values import with_names
from abutment.guard.renamed_paths import with_paths
from abutment.guard.renames import Renames
from abutment.guard.revision import Gates, Revision
from abutment.guard.spelling import listed, members

_NAME = re.compile(r"\w+(?:\.\w+)*")


def with_names_of(before: Revision, old: Code, after: Revision, new: Code, gates: Gates, renames: Renames) -> Revision:
    """Return the earlier revision with its settings under today's names, without those of deleted modules."""
    if before.settings is None or not _lost(before, after, gates):
        return before  # and nobody has to look through the code
    was, now = _written(before.table, gates), _written(after.table, gates)
    names = (was & old().names) | (was - now)
    renamed = {name: renames.now_called(name) for name in names if renames.now_called(name) in now}
    brings_nothing = new().names <= old().names.union(renames.modules.values())
    gone = was & old().names - new().names
    deleted = gone - renames.modules.keys() if brings_nothing else frozenset()
    table = with_names(before.table, gates, partial(_rewritten, renamed=renamed, deleted=deleted))
    if isinstance(table.get("exclude"), list):
        table["exclude"] = _excluded(before, after, renames)
    roots, believed = listed(after.table.get("roots")), not any(_no_longer_judged(before, old(), after, new()))
    table["roots"] = (
        [root for root in roots if not _is_new_for_tests(root, before)] if believed else _seen(before, after)
    )
    return replace(before, settings=replace(before.settings, table=table))


def _excluded(before: Revision, after: Revision, renames: Renames) -> list[str]:
    old, new = (members(revision.table.get("exclude")) for revision in (before, after))
    was, now = renames.texts
    return with_paths(old, new, was.of_path, now.of_path)


def _lost(before: Revision, after: Revision, gates: Gates) -> bool:
    """Say whether a name, a root or a pattern is no longer written, or is read from another folder."""
    old, new = before.table, after.table
    moved = before.above != after.above or old.get("roots") != new.get("roots")
    kept = set(members(old.get("exclude"))) <= set(members(new.get("exclude")))
    return moved or not kept or not _written(old, gates) <= _written(new, gates)


def _no_longer_judged(before: Revision, old: Codebase, after: Revision, new: Codebase) -> Iterator[str]:
    """Yield each file that stands where it stood, and is judged less or under another name."""
    judged = _from_top(after, new.judged)
    for files, now in ((old.judged, judged), (old.tests, judged | _from_top(after, new.tests))):
        for path, module in _from_top(before, files).items():
            if now.get(path) != module and after.top.exists(path):
                yield path


def _from_top(revision: Revision, files: Mapping[str, str]) -> dict[str, str]:
    return {posixpath.join(revision.above, path): module for path, module in files.items()}


def _seen(before: Revision, after: Revision) -> object:
    """Return the earlier roots as they are written in the folder of the later configuration."""
    roots = before.table.get("roots")
    if before.above == after.above or not isinstance(roots, list):
        return roots
    return [_seen_root(root, before.above, after.above) for root in roots]


def _seen_root(root: object, above: str, now: str) -> object:
    if isinstance(root, Mapping):
        return {**root, "path": _seen_root(root.get("path"), above, now)}
    return posixpath.relpath(posixpath.join("/", above, root), f"/{now}") if isinstance(root, str) else root


def _is_new_for_tests(root: object, before: Revision) -> bool:
    """Say whether a root for tests was none before: what it will hold is judged less, though it holds nothing yet."""
    return isinstance(root, Mapping) and root.get("role") == "tests" and root not in listed(before.table.get("roots"))


def _written(table: Mapping[str, object], gates: Gates) -> frozenset[str]:
    """Return every dotted name in the values of a configuration that hold names."""
    found: set[str] = set()

    def seen(value: object) -> object:
        found.update(name for text in _texts(value) for name in _NAME.findall(text))
        return value

    with_names(table, gates, seen)
    return frozenset(found)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for member in value:
            yield from _texts(member)


def _rewritten(value: object, renamed: Mapping[str, str], deleted: frozenset[str]) -> object:
    if isinstance(value, str):
        return _NAME.sub(lambda found: renamed.get(found[0], found[0]), value)
    if isinstance(value, list):
        return [_rewritten(member, renamed, deleted) for member in value if not _is_in(member, deleted)]
    return value


def _is_in(member: object, names: frozenset[str]) -> bool:
    return isinstance(member, str) and member.removeprefix("=") in names

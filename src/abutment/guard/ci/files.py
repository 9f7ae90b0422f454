"""Which files of a repository say what CI does, and how is each read?"""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from abutment.errors import NotJudged
from abutment.guard.ci.calls import Call
from abutment.guard.ci.github import action_calls, workflow_calls
from abutment.guard.ci.gitlab import pipeline_calls
from abutment.guard.ci.lines import text_calls
from abutment.guard.ci.parts import expanded
from abutment.guard.ci.pre_commit import hook_calls
from abutment.model.fault import Fault
from abutment.sources.tree import EntryKind, Tree
from abutment.sources.yaml_document import YamlDocument, load_yaml

Read = Callable[[YamlDocument, Sequence[str]], Iterator[Call]]
WORKFLOWS = "GitHub workflows"
# The names of files, as patterns of their paths from the top of the repository, and what reads each.
_YAML: tuple[tuple[str, Read], ...] = (
    (".github/workflows/*.yml", workflow_calls),
    (".github/workflows/*.yaml", workflow_calls),
    (".github/actions/*/action.yml", action_calls),
    (".github/actions/*/action.yaml", action_calls),
    (".gitlab-ci.yml", pipeline_calls),
    (".pre-commit-config.yaml", hook_calls),
)
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")  # make takes the first that is there
_TEXT = (
    *(*_MAKEFILES, "justfile", "Justfile", "tox.ini", "noxfile.py", ".ci/*"),
    *("azure-pipelines.yml", "Jenkinsfile", ".circleci/config.yml", "bitbucket-pipelines.yml", ".travis.yml"),
)


@dataclass(frozen=True, slots=True)
class CiFile:
    """One file that calls us, or that could not be read."""

    path: str
    group: str  # a call may move between the files of one group
    calls: tuple[Call, ...] = ()
    faults: tuple[Fault, ...] = ()
    folder: str = ""  # in which its commands run, where they do not say so


def ci_files(
    tree: Tree, own: Sequence[str], more: Sequence[str], above: str = "", *, moved: bool = False
) -> Iterator[CiFile]:
    """Yield the files of a repository that say what CI does. `more` are patterns of the user's.

    Those that are no forge's may also stand in the project's own folder, which is `above`; where it has `moved`, they
    are one group with those of the same name at the top.
    """
    yaml = [(path, read, tree.read(path)) for pattern, read in _YAML for path in _matching(tree, pattern)]
    parts_of_ours = (_used_as(path) for path, _read, data in yaml if _is_githubs(path) and _speaks_of_us(data, own))
    own = (*own, *parts_of_ours)
    found = [_yaml_file(path, read, data, own) for path, read, data in yaml]
    parts = {_used_as(file.path): file.calls for file in found if file.group == WORKFLOWS and not file.faults}
    yield from (
        replace(file, calls=expanded(_used_as(file.path), parts)) if _used_as(file.path) in parts else file
        for file in found
    )
    seen = {file.path for file in found}
    for folder, pattern in (*(("", one) for one in (*_TEXT, *more)), *((above, one) for one in _TEXT if above)):
        for path in _matching(tree, posixpath.join(folder, pattern)):
            if path not in seen:
                seen.update(_makefiles_beside(path))
                file = _text_file(tree, path, own)
                yield replace(file, folder=folder, group=_below(file.group, folder) if moved else file.group)


def _used_as(path: str) -> str:
    """Return how a workflow names a workflow or an action of the repository."""
    folder = path.rpartition("/")[0]
    return f"./{path if folder == '.github/workflows' else folder}"


def _is_githubs(path: str) -> bool:
    return path.startswith(".github/")


def _yaml_file(path: str, read: Read, data: bytes, own: Sequence[str]) -> CiFile:
    group = WORKFLOWS if _is_githubs(path) else path
    if not _speaks_of_us(data, own):
        return CiFile(path, group)  # it may be as broken as it likes
    try:
        return CiFile(path, group, tuple(read(load_yaml(path, data), own)))
    except NotJudged as refusal:
        return CiFile(path, group, faults=refusal.faults)


def _speaks_of_us(data: bytes, own: Sequence[str]) -> bool:
    return any(word.encode() in data for word in ("abutment", *(named.split(" ")[-1] for named in own)))


def _makefiles_beside(path: str) -> Iterator[str]:
    """Yield the path, and those of the Makefiles that make does not take where it is one."""
    folder, _slash, name = path.rpartition("/")
    yield path
    if name in _MAKEFILES:
        yield from (posixpath.join(folder, other) for other in _MAKEFILES)


def _below(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder}/") if folder else path


def _text_file(tree: Tree, path: str, own: Sequence[str]) -> CiFile:
    folder, _slash, name = path.rpartition("/")
    group = posixpath.join(folder, _MAKEFILES[-1]) if name in _MAKEFILES else path
    return CiFile(path, group, tuple(text_calls(path, tree.read(path).decode("utf-8", "replace"), own)))


def _matching(tree: Tree, pattern: str) -> Iterator[str]:
    """Yield the files whose paths match, a star standing for any name of one level."""
    found = [""]
    *folders, last = pattern.split("/")
    for part in folders:
        found = [path for above in found for path in _entries(tree, above, part, EntryKind.DIRECTORY)]
    for above in found:
        yield from _entries(tree, above, last, EntryKind.FILE)


def _entries(tree: Tree, above: str, pattern: str, kind: EntryKind) -> Iterator[str]:
    for entry in tree.list(above):
        if entry.kind is kind and fnmatch.fnmatchcase(entry.name, pattern):
            yield f"{above}/{entry.name}" if above else entry.name

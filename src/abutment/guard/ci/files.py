"""Which files of a repository say what CI does, and how is each read?"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from abutment.errors import NotJudged
from abutment.guard.ci.calls import Call
from abutment.guard.ci.github import action_calls, workflow_calls
from abutment.guard.ci.gitlab import pipeline_calls
from abutment.guard.ci.includes import Pipeline
from abutment.guard.ci.lines import text_calls
from abutment.guard.ci.made import MAKING
from abutment.guard.ci.make import MAKEFILES, Makefiles
from abutment.guard.ci.matching import matching
from abutment.guard.ci.parts import expanded
from abutment.guard.ci.pre_commit import hook_calls
from abutment.model.fault import Fault
from abutment.sources.tree import Tree
from abutment.sources.yaml_document import YamlDocument, load_yaml

Read = Callable[[YamlDocument, Sequence[str]], Iterator[Call]]
WORKFLOWS = "GitHub workflows"
_MAKE = b"make"
# The names of files, as patterns of their paths from the top of the repository, and what reads each.
_YAML: tuple[tuple[str, Read], ...] = (
    (".github/workflows/*.yml", workflow_calls),
    (".github/workflows/*.yaml", workflow_calls),
    (".github/actions/*/action.yml", action_calls),
    (".github/actions/*/action.yaml", action_calls),
    (".pre-commit-config.yaml", hook_calls),
)
_PIPELINE = ".gitlab-ci.yml"
_TEXT = (
    *(*MAKEFILES, "justfile", "Justfile", "tox.ini", "noxfile.py", ".ci/*"),
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
    makefiles = Makefiles(partial(_text_of, tree), own)
    yaml = [(path, read, tree.read(path)) for pattern, read in _YAML for path in matching(tree, pattern)]
    parts_of_ours = (_used_as(path) for path, _read, data in yaml if _is_githubs(path) and _speaks_of_us(data, own))
    own = (*own, *parts_of_ours)
    found = [_yaml_file(path, read, data, own) for path, read, data in yaml]
    parts = {_used_as(file.path): file.calls for file in found if file.group == WORKFLOWS and not file.faults}
    whole = [
        replace(file, calls=expanded(_used_as(file.path), parts)) if _used_as(file.path) in parts else file
        for file in found
    ]
    whole += [_pipeline_file(tree, path, own) for path in matching(tree, _PIPELINE)]
    yield from (replace(file, calls=tuple(makefiles.expanded(file.calls))) for file in whole)
    seen = {_PIPELINE, *(file.path for file in found)}
    for folder, pattern in (*(("", one) for one in (*_TEXT, *more)), *((above, one) for one in _TEXT if above)):
        for path in matching(tree, posixpath.join(folder, pattern)):
            if path not in seen:
                seen.update(_makefiles_beside(path))
                file = _text_file(tree, path, own, Makefiles(partial(_text_below, tree, folder), own))
                yield replace(file, folder=folder, group=_below(file.group, folder) if moved else file.group)


def _used_as(path: str) -> str:
    """Return how a workflow names a workflow or an action of the repository."""
    folder = path.rpartition("/")[0]
    return f"./{path if folder == '.github/workflows' else folder}"


def _is_githubs(path: str) -> bool:
    return path.startswith(".github/")


def _yaml_file(path: str, read: Read, data: bytes, own: Sequence[str]) -> CiFile:
    group, speaks = WORKFLOWS if _is_githubs(path) else path, _speaks_of_us(data, own)
    if not (speaks or _MAKE in data):
        return CiFile(path, group)
    try:
        return CiFile(path, group, tuple(read(load_yaml(path, data), (*own, *MAKING))))
    except NotJudged as refusal:
        return CiFile(path, group, faults=refusal.faults if speaks else ())  # else it may be as broken as it likes


def _pipeline_file(tree: Tree, path: str, own: Sequence[str]) -> CiFile:
    pipeline = Pipeline(tree)
    try:
        return CiFile(path, path, tuple(pipeline_calls(pipeline.document(path), (*own, *MAKING))))
    except NotJudged as refusal:
        speaks = any(_speaks_of_us(data, own) for data in pipeline.read.values())
        return CiFile(path, path, faults=refusal.faults if speaks else ())


def _speaks_of_us(data: bytes, own: Sequence[str]) -> bool:
    return any(word.encode() in data for word in ("abutment", *(named.split(" ")[-1] for named in own)))


def _makefiles_beside(path: str) -> Iterator[str]:
    """Yield the path, and those of the Makefiles that make does not take where it is one."""
    folder, _slash, name = path.rpartition("/")
    yield path
    if name in MAKEFILES:
        yield from (posixpath.join(folder, other) for other in MAKEFILES)


def _below(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder}/") if folder else path


def _text_file(tree: Tree, path: str, own: Sequence[str], makefiles: Makefiles) -> CiFile:
    folder, _slash, name = path.rpartition("/")
    if name in MAKEFILES:
        group = posixpath.join(folder, MAKEFILES[-1])
        return CiFile(path, group, tuple(text_calls(path, partial(_text_of, tree), own)))
    calls = text_calls(path, partial(_text_of, tree), (*own, *MAKING))
    return CiFile(path, path, tuple(makefiles.expanded(calls)))


def _text_below(tree: Tree, folder: str, path: str) -> str | None:
    return _text_of(tree, posixpath.join(folder, path))


def _text_of(tree: Tree, path: str) -> str | None:
    return tree.read(path).decode("utf-8", "replace") if tree.exists(path) else None

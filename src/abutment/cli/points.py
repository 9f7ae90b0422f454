"""Which revisions does the guard compare, as git has them?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from abutment.baselines.reading import Documents, read_documents
from abutment.cli.opening import Opening
from abutment.config import Config
from abutment.errors import NotJudged, UnknownName
from abutment.gates import TABLE, load_gate
from abutment.gates.gate import Gate
from abutment.guard.codebase import codebase_of
from abutment.guard.revision import Gates, Revision, opened_before
from abutment.guard.settings import Settings
from abutment.guard.spelling import spelled
from abutment.guard.verdict import Points
from abutment.model.fault import Fault
from abutment.run import Against, Reading
from abutment.sources.below import Below
from abutment.sources.git import find_repository, tracked_files
from abutment.sources.git_tree import GitTree
from abutment.sources.history import find_bases, usual_main
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.settings import OWN_FILE, PYPROJECT, settings_in
from abutment.sources.tree import Tree
from abutment.sources.work_tree import WorkTree


def points_of(opening: Opening, config: Config, ref: str | None, reading: Reading) -> Against:
    """Return a function that opens the revisions when the guard is asked; it raises NotJudged where there is none."""

    def against(settings: Settings, documents: Documents | None) -> Points:
        root = Path(config.root)
        bases = find_bases(root, ref, "" if ref is not None else _main(root, settings.main))
        head = _present(opening, config, reading, documents)
        base = _earlier(root, bases.merge_base, head)
        tip = base if bases.tip == bases.merge_base else _earlier(root, bases.tip, head)
        return Points(base, tip, head, bases.ref, bases.name, known_gates)

    return against


def known_gates(names: Iterable[str]) -> Gates:
    """Return our own gates, and those of the names that are known; raises NotJudged for one that is not importable."""
    known: dict[str, Gate] = {}
    for name in dict.fromkeys((*TABLE, *names)):
        try:
            known[name] = load_gate(name)
        except UnknownName:
            continue  # of a gate that is not installed here, only the bytes of its documents can be compared
    return Gates(known)


def _main(root: Path, written: str) -> str:
    """Return the name of the main branch that the configuration gives.

    Where a usual name leads to one, that branch's own configuration decides: else a branch could name itself.
    """
    usual = usual_main(root) if written else None
    if usual is None:
        return written
    settings = settings_in(GitTree(root, usual[1]), str(root))
    table = settings.table.get("guard") if settings is not None else None
    return spelled(table.get("main", "")) if isinstance(table, dict) else ""


def _present(opening: Opening, config: Config, reading: Reading, documents: Documents | None) -> Revision:
    root, tree = Path(config.root), opening.tree(config)
    top = find_repository(root) or root
    documents = documents or read_documents(tree, config.documents)
    everything = tracked_files(top) if top != root else reading.tracked
    return Revision(tree, WorkTree(top), config.raw, documents, _above(root, top), reading.tracked, everything)


def _earlier(root: Path, commit: str, head: Revision) -> Revision:
    """Return an earlier revision, with the configuration that was the judged one's law then.

    Where its own is new, that is the one around it, if that reached the folder; else one that has moved since.
    """
    top = find_repository(root) or root
    above, whole = _above(root, top), GitTree(top, commit, beside=WorkTree(top))
    if _configures(whole, above):
        return _opened(root, whole, above, head)
    outer = _around(root, whole, above, head)
    if outer is not None and _reaches(outer, above, WorkTree(top)):
        return outer
    vanished = sorted(folder for folder in _folders(whole) - {above} if not _configures(WorkTree(top), folder))
    earlier = _opened(root, whole, vanished[0] if len(vanished) == 1 else above, head)
    return replace(earlier, faults=(_which(vanished),)) if len(vanished) > 1 else earlier


def _opened(root: Path, whole: GitTree, above: str, head: Revision) -> Revision:
    files = _files_below(whole.files, above)
    tree = whole if not above else Below(whole, above) if files else MemoryTree({})
    return opened_before(tree, whole, str(root), above, files, whole.files, head.documents)


def _around(root: Path, whole: GitTree, folder: str, head: Revision) -> Revision | None:
    """Return the revision under the nearest configuration above a folder; None where there is none."""
    while folder:
        folder = folder.rpartition("/")[0]
        if _configures(whole, folder):
            return _opened(root, whole, folder, head)
    return None


def _reaches(outer: Revision, folder: str, now: Tree) -> bool:
    """Say whether a law judged what was in a folder, or would judge what is in it now; an unreadable one may have."""
    if outer.settings is None:
        return True
    below = f"{folder}/".removeprefix(f"{outer.above}/" if outer.above else "")
    today = replace(outer, tree=Below(now, outer.above) if outer.above else now, tracked=None, memory={})
    codes = (codebase_of(revision)() for revision in (outer, today))
    return any(path.startswith(below) for code in codes for path in (*code.judged, *code.tests))


def _which(vanished: Iterable[str]) -> Fault:
    named = ", ".join(folder or "the top" for folder in vanished)
    return Fault("", 0, f"the configurations of {named} are gone, and which of them this one was cannot be told.")


def _folders(tree: GitTree) -> frozenset[str]:
    """Return the folders of a tree that hold a configuration."""
    names = (path.rpartition("/") for path in tree.files)
    folders = {folder for folder, _slash, name in names if name in (PYPROJECT, OWN_FILE)}
    return frozenset(folder for folder in folders if _configures(tree, folder))


def _configures(tree: Tree, folder: str) -> bool:
    try:
        return settings_in(Below(tree, folder) if folder else tree, "") is not None
    except NotJudged:
        return True  # it does, though nobody can read how


def _files_below(files: frozenset[str], folder: str) -> frozenset[str]:
    prefix = f"{folder}/" if folder else ""
    return frozenset(path.removeprefix(prefix) for path in files if path.startswith(prefix))


def _above(root: Path, top: Path) -> str:
    path = root.relative_to(top).as_posix() if root.is_relative_to(top) else ""
    return "" if path == "." else path

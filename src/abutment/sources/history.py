"""With which commits is a branch compared? Where it left the main branch, and where that branch stands now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.git import commit, first_parent, is_edited, known_commit, known_commits, merge_base
from abutment.sources.hidden_files import hidden_files

# The main branch as most repositories have it, the best known first; a tag of such a name is none.
MAIN = {
    "origin/HEAD": "refs/remotes/origin/HEAD",
    "origin/main": "refs/remotes/origin/main",
    "origin/master": "refs/remotes/origin/master",
    "main": "refs/heads/main",
    "master": "refs/heads/master",
}
_FETCH = (
    "Fetch it, with its history: `git fetch origin <branch>:refs/remotes/origin/<branch>` "
    "(`git fetch --unshallow` in a shallow clone), or `fetch-depth: 0` in CI."
)
_OTHERWISE = "`--against REF`, or `main` in [tool.abutment.guard]"


@dataclass(frozen=True, slots=True)
class Bases:
    """Two commits by their ids, which are one where the branch has all of the main branch."""

    merge_base: str
    tip: str
    ref: str  # how the main branch is called
    name: str  # how the merge base reads: "origin/main at 1a2b3c4d"


def find_bases(root: Path, ref: str | None, main: str = "", otherwise: str = _OTHERWISE) -> Bases:
    """Return what the commit that is checked out is compared with.

    `ref` was asked for; without one, the main branch is `main`, or found. A commit that is part of the main branch
    is compared with its first parent, and the very first one with itself; what is edited on top of it, with it. A file
    that git does not track yet is no edit, as what a build leaves behind would hide what the commit brought.
    Raises NotJudged, naming the fetch that is needed, where this clone does not have it; `otherwise` says where else a
    main branch of another name is written.
    """
    head = commit(root, "HEAD")
    called, tip = _asked_for(root, ref) if ref is not None else _main_branch(root, main, otherwise)
    base = merge_base(root, tip, called, head)
    if base == head:
        if is_edited(root) or hidden_files(root):
            return Bases(head, head, called, f"HEAD at {head[:8]}")
        before = first_parent(root, head) or head
        return Bases(before, before, called, f"the commit before, {before[:8]}")
    return Bases(base, tip, called, f"{called} at {base[:8]}")


def _asked_for(root: Path, ref: str) -> tuple[str, str]:
    tip = known_commit(root, ref)
    if tip is None:
        raise NotJudged(Fault("", 0, f"git does not know {ref!r} here.", _FETCH))
    return ref, tip


def usual_main(root: Path) -> tuple[str, str] | None:
    """Return the first usual name of a main branch that this clone knows, and its commit; None where it knows none."""
    tips = known_commits(root, tuple(MAIN.values()))
    return next(((name, tip) for name, tip in zip(MAIN, tips, strict=True) if tip is not None), None)


def _main_branch(root: Path, main: str, otherwise: str) -> tuple[str, str]:
    named = known_commit(root, main) if main else None
    found = (main, named) if named is not None else None if main else usual_main(root)
    if found is not None:
        return found
    looked = main or ", ".join(MAIN)
    remedy = f"{_FETCH} Is it called otherwise, say {otherwise}."
    raise NotJudged(Fault("", 0, f"the main branch is not known here: looked for {looked}.", remedy))

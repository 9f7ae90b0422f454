"""What does git know about the judged tree: which files are its own, which changed, what did they hold?

The `git` of the machine is run without a shell, within a time limit, and is believed only where it ended
well. Where git or a repository is absent, there is simply nothing to know.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.sources.file_names import bytes_of, text_of
from abutment.sources.ignore import IgnoreFile, decoded_lines, is_ignored
from abutment.sources.plain_file import content

_SECONDS = 120
_QUESTIONS = frozenset({"check-ignore", "merge-base"})  # status 1 is their "no"
_NOTHING_RUNS = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
_SHALLOW = "If the clone is shallow, fetch the history first: `git fetch --unshallow`, or `fetch-depth: 0` in CI."
_DUBIOUS = "Tell git that you trust the folder: `git config --global --add safe.directory <folder>`."
_WITHOUT = "Run this in a repository, or without the option that asks git."
# Variables that say where a repository is.
_PLACES = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
_UNAMBIGUOUS = re.compile(r"refs/|(HEAD|@|[0-9a-f]{40}|[0-9a-f]{64})($|[~^@{])")
_CHANGES = ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative")
_COMMIT = re.compile(rb"([0-9a-f]+) commit \d+")  # as git tells of one
LINK, SUBMODULE = "120000", "160000"


def find_repository(path: Path) -> Path | None:
    """Return the top of the work tree that holds `path`, or None where there is none. Runs nothing."""
    start = Path(os.path.abspath(path))  # noqa: PTH100  # `resolve` would leave the tree through a link
    return next((folder for folder in (start, *start.parents) if (folder / ".git").exists()), None)


def tracked_files(root: Path) -> frozenset[str] | None:
    """Return the paths below `root` that git tracks, those of submodules included.

    None where there is no git or no repository; raises NotJudged where git is there and fails.
    """
    if find_repository(root) is None:
        return None
    try:
        return _paths(_git(root, "ls-files", "-z", "--cached", "--recurse-submodules"))
    except _Absent:
        return None


def ignored_files(root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Return those of the paths below `root` that git neither tracks nor would take up, sorted; () without git."""
    asked = sorted(set(paths))
    if not asked or find_repository(root) is None:
        return ()
    try:
        said = _git(root, "check-ignore", "-z", "--stdin", given=b"".join(bytes_of(path) + b"\0" for path in asked))
    except (_Absent, _Failed):
        return ()
    return tuple(sorted(records(said)))


def outer_ignores(root: Path) -> tuple[IgnoreFile, ...]:
    """Return the ignore patterns that reach `root` from outside of its own `.gitignore` files, the weakest first.

    These are git's `info/exclude` and the `.gitignore` files from the repository's top down to above `root`.
    Where they ignore the root itself, it is a project of its own and they do not count.
    """
    top = find_repository(root)
    if top is None:
        return ()
    way = Path(os.path.relpath(os.path.abspath(root), top)).parts  # noqa: PTH100  # see find_repository
    found = [IgnoreFile(_lines(_common_folder(top) / "info" / "exclude"), above="/".join(way))]
    for depth in range(len(way)):
        lines = _lines(top.joinpath(*way[:depth], ".gitignore"))
        found.append(IgnoreFile(lines, above="/".join(way[depth:])))
    return () if _ignores_root(top, way) else tuple(found)


def changed_files(root: Path, ref: str) -> frozenset[str]:
    """Return the paths below `root` that differ from the merge base of `ref` and HEAD, or that git does not know.

    Compared is the work tree, so what is not yet committed counts. Raises NotJudged where the reference or
    the merge base is unknown.
    """
    base = merge_base(root, commit(root, ref), ref)
    return _paths(output_of_git(root, *_CHANGES, base, "--")) | untracked_files(root)


def untracked_files(root: Path) -> frozenset[str]:
    """Return the paths below `root` that git does not know and would take up; raises NotJudged without a repository."""
    return _paths(output_of_git(root, "ls-files", "-z", "--others", "--exclude-standard"))


def differences(root: Path, base: str) -> tuple[tuple[str, ...], bytes]:
    """Return the files below `root` in which the work tree differs from a commit, and a patch without context.

    The files stand in the patch's order, under the names that they have now; what only moved does not differ in any
    line. Whatever git's configuration and `.gitattributes` say, all of it is read as text. Raises NotJudged where git
    fails.
    """
    plain = ("--no-ext-diff", "--no-textconv", "--no-color", "--text", "--ignore-submodules=all", "--find-renames")
    asked = ("diff", *plain, "-l0", "--relative")
    names = records(output_of_git(root, *asked, "--name-only", "-z", base, "--"))
    return tuple(names), output_of_git(root, *asked, "--unified=0", "--inter-hunk-context=0", base, "--")


def merge_base(root: Path, tip: str, called: str, head: str = "") -> str:
    """Return the id of the commit at which a commit and HEAD parted; raises NotJudged where there is none.

    `tip` is the commit's id: what it is `called` may mean another one to git. So is `head`, where it is known.
    """
    return _asked(root, "merge-base", tip, head or commit(root, "HEAD"), what=f"a merge base of {called} and HEAD")


def renamed_files(root: Path, base: str) -> tuple[tuple[str, str], ...]:
    """Return the files below `root` that git takes for others of a commit under new names: (before, now), sorted.

    Compared is the work tree; what git does not know yet (`git add -N`) it takes for nothing.
    """
    told = ("--name-status", "-z", "--find-renames", "-l0", "--diff-filter=R", "--no-ext-diff", "--relative")
    _score, *fields = ("", *records(output_of_git(root, "diff", *told, base, "--")))
    return tuple(sorted(zip(fields[1::3], fields[2::3], strict=True)))


def staged_files(root: Path) -> frozenset[str]:
    """Return the paths below `root` that the next commit would change; raises NotJudged without a repository."""
    require_repository(root)
    return _paths(output_of_git(root, *_CHANGES, "--cached"))


def unsettled_files(root: Path, folder: str) -> dict[str, dict[int, bytes]]:
    """Return the files below `folder` that a merge left unsettled, each with the versions that git keeps.

    By path below `root`; the versions by git's numbers: 1 before the branches parted, 2 ours, 3 theirs, and none for a
    side that has no such file. Nothing without git or a repository.
    """
    if find_repository(root) is None:
        return {}
    try:
        rows = _git(root, "ls-files", "-z", "--unmerged", "--", f":(literal){folder}")
    except _Absent:
        return {}
    found = [_unsettled_row(record) for record in records(rows)]
    contents = fetched(root, [blob for _path, _stage, blob in found])
    files: dict[str, dict[int, bytes]] = {}
    for path, stage, blob in found:
        files.setdefault(path, {})[stage] = contents[blob]
    return files


def _unsettled_row(record: str) -> tuple[str, int, str]:
    about, path = record.split("\t", 1)
    mode, blob, stage = about.split(" ")
    if mode == SUBMODULE:
        raise NotJudged(Fault(path, 0, "is a submodule of git's on one side of the merge.", "Settle it by hand."))
    return path, int(stage), blob


def mark_conflict(root: Path, ours: Path, base: Path, theirs: Path) -> None:
    """Merge these files line by line into the first, as git does where no driver is set; conflicts get markers."""
    labels = ("-L", "ours", "-L", "base", "-L", "theirs")
    files = map(os.path.abspath, (ours, base, theirs))
    # The status is the number of conflicts, as far as that fits.
    _git(root, "merge-file", *labels, *files, answers=range(128))


def commit(root: Path, ref: str) -> str:
    """Return the id of the commit that `ref` names; raises NotJudged where there is none.

    A branch goes before a tag of its name, which is not what git does: a tag is as easily pushed as any branch, and
    would be compared with in place of it.
    """
    (found,) = known_commits(root, (ref,))
    if found is None:
        raise NotJudged(Fault("", 0, f"git does not know a commit {ref!r}.", _SHALLOW))
    return found


def known_commits(root: Path, refs: Sequence[str]) -> list[str | None]:
    """Return for each of the names the id of its commit, None where this clone has no such name; git is asked once."""
    require_repository(root)
    names = [_names_of(ref) for ref in refs]
    asked = "".join(f"{name}^{{commit}}\n" for each in names for name in each)
    said = iter(output_of_git(root, "cat-file", "--batch-check", given=bytes_of(asked)).splitlines())
    answers = ([_COMMIT.fullmatch(next(said)) for _name in each] for each in names)
    return [next((found[1].decode() for found in each if found is not None), None) for each in answers]


def _names_of(ref: str) -> tuple[str, ...]:
    if "\n" in ref:
        return ()  # no name has one, and what is behind it would be another question
    return (ref,) if _UNAMBIGUOUS.match(ref) else (f"refs/remotes/{ref}", f"refs/heads/{ref}", ref)


def first_parent(root: Path, of: str) -> str | None:
    """Return the id of a commit's first parent, None where it has none; raises NotJudged where this clone lacks it."""
    # The object itself is asked: where a shallow clone ends, history says that there is no parent.
    head = output_of_git(root, "cat-file", "commit", of).split(b"\n\n", 1)[0].decode("utf-8", "replace")
    parents = [line.removeprefix("parent ") for line in head.splitlines() if line.startswith("parent ")]
    return commit(root, parents[0]) if parents else None


def is_edited(root: Path) -> bool:
    """Say whether a file that git tracks is otherwise than in the commit that is checked out."""
    return bool(output_of_git(root, "diff", "--name-only", "-z", "--no-ext-diff", "HEAD", "--"))


def known_commit(root: Path, ref: str) -> str | None:
    """Return the id of the commit that `ref` names, None where this clone has no such name."""
    return known_commits(root, (ref,))[0]


def fetched(root: Path, blobs: Sequence[str]) -> dict[str, bytes]:
    """Return the contents of blobs by their ids; raises NotJudged for one that this clone does not have."""
    if not blobs:
        return {}
    asked = "".join(f"{blob}\n" for blob in dict.fromkeys(blobs))
    return dict(_blobs(output_of_git(root, "cat-file", "--batch", given=asked.encode())))


def _blobs(output: bytes) -> Iterator[tuple[str, bytes]]:
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        head = output[at:end].decode()
        blob, kind, *size = head.split(" ")
        if kind != "blob":
            raise NotJudged(Fault("", 0, f"git has no content for {head}.", _SHALLOW))
        start = end + 1
        yield blob, output[start : start + int(size[0])]
        at = start + int(size[0]) + 1


def records(output: bytes) -> list[str]:
    """Return the texts of an output in which each ends with NUL."""
    return [text_of(record) for record in output.split(b"\0") if record]


def _paths(output: bytes) -> frozenset[str]:
    return frozenset(records(output))


class _Absent(Exception):
    """There is no `git` on this machine, or it sees no repository here."""


class _Failed(Exception):
    """Git was asked a question and answered "no"; the message is what it said."""


def require_repository(root: Path) -> None:
    """Raise NotJudged where the folder is in no repository."""
    if find_repository(root) is None:
        raise NotJudged(Fault("", 0, f"{root} is in no git repository.", _WITHOUT))


def _asked(root: Path, *arguments: str, what: str) -> str:
    """Return git's one-line answer; raises NotJudged naming what there is not."""
    try:
        return _git(root, *arguments).decode().strip()
    except _Failed as failed:
        said = f" ({failed})" if str(failed) else ""
        raise NotJudged(Fault("", 0, f"git does not know {what}{said}.", _SHALLOW)) from failed
    except _Absent as absent:
        raise _absent() from absent


def output_of_git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    """Return what git printed; raises NotJudged where it failed or is not there."""
    try:
        return _git(root, *arguments, given=given)
    except _Absent as absent:
        raise _absent() from absent


def _absent() -> NotJudged:
    return NotJudged(Fault("", 0, "git is not installed, or sees no repository here.", _WITHOUT))


def _git(root: Path, *arguments: str, given: bytes = b"", answers: Container[int] = (0,)) -> bytes:
    """Return what git printed; raises NotJudged where it failed, which is a status that is none of its `answers`.

    Also raises `_Absent`, and `_Failed` where a question was answered with "no".
    """
    import subprocess  # where there is no repository it is never needed

    try:
        ended = subprocess.run(
            ["git", "--no-pager", *_NOTHING_RUNS, *arguments],
            cwd=root,
            env=_environment(root),
            input=given,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise _Absent from error
    except subprocess.TimeoutExpired as error:
        raise NotJudged(Fault("", 0, f"git {arguments[0]} did not end within {_SECONDS} s.")) from error
    except OSError as error:
        raise NotJudged(Fault("", 0, f"git cannot be run: {error.strerror}.")) from error
    if ended.returncode in answers:
        return ended.stdout
    said = " ".join(ended.stderr.decode("utf-8", "replace").split())
    if arguments[0] in _QUESTIONS and ended.returncode == 1:
        raise _Failed(said)
    if "not a git repository" in said:
        raise _Absent
    message = f"git {arguments[0]} ended with status {ended.returncode}: {said or 'it said nothing'}."
    raise NotJudged(Fault("", 0, message, _DUBIOUS if "dubious" in said else ""))


def _environment(root: Path) -> dict[str, str]:
    """Return the environment for git: of this repository alone, in one language, asking nobody.

    A hook's variables name the repository relative to *its* folder, so they go; the index that a commit in
    progress builds (`git commit -a` has one of its own) stays, where it is this repository's.
    """
    kept = {name: value for name, value in os.environ.items() if name not in _PLACES}
    index = os.environ.get("GIT_INDEX_FILE")
    top = find_repository(root)
    if index and top is not None:
        place = Path(os.path.abspath(top / index))  # noqa: PTH100  # the file may come and go
        if _git_folder(top) in place.parents:
            kept["GIT_INDEX_FILE"] = str(place)
    return {**kept, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


def _git_folder(top: Path) -> Path:
    """Return the folder with git's own files; in a linked work tree or a submodule `.git` is a file that names it."""
    place = top / ".git"
    if place.is_file():
        named = place.read_text("utf-8", "surrogateescape").removeprefix("gitdir:").strip()
        return Path(os.path.abspath(top / named))  # noqa: PTH100  # as git itself does
    return place


def _common_folder(top: Path) -> Path:
    """Return the folder with the files that all work trees of the repository share."""
    folder = _git_folder(top)
    named = folder / "commondir"
    return folder / named.read_text("utf-8", "surrogateescape").strip() if named.is_file() else folder


def _lines(path: Path) -> list[str]:
    """Return a pattern file's lines; none where there is no such file. git does not follow a link here."""
    try:
        return [] if path.is_symlink() else decoded_lines(content(path))
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return []
    except OSError as error:
        raise NotJudged(Fault("", 0, f"{path} cannot be read: {error.strerror}.")) from error


def _ignores_root(top: Path, way: tuple[str, ...]) -> bool:
    files = [IgnoreFile(_lines(_common_folder(top) / "info" / "exclude"))]
    for depth, _ in enumerate(way):
        files.append(IgnoreFile(_lines(top.joinpath(*way[:depth], ".gitignore")), base="/".join(way[:depth])))
        if is_ignored(files, "/".join(way[: depth + 1]), directory=True):
            return True
    return False

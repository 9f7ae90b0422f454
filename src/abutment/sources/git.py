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
from abutment.sources.listing import Listing
from abutment.sources.plain_file import content
from abutment.sources.tree import Entry

_SECONDS = 120
_QUESTIONS = frozenset({"check-ignore", "merge-base", "rev-parse"})  # status 1 is their "no"
# Blobs asked for at once, neighbours of the one that is wanted: few at first, and more to who reads on.
_FEW, _AHEAD = 8, 256
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
_UNAMBIGUOUS = re.compile(r"refs/|(HEAD|@|[0-9a-f]{40})($|[~^@{])")
_AS_COMMIT = ("rev-parse", "--verify", "--quiet", "--end-of-options")
_LINK, _SUBMODULE = "120000", "160000"


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
    return tuple(sorted(_records(said)))


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
    differs = _output(root, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", base, "--")
    return _paths(differs) | untracked_files(root)


def untracked_files(root: Path) -> frozenset[str]:
    """Return the paths below `root` that git does not know and would take up; raises NotJudged without a repository."""
    return _paths(_output(root, "ls-files", "-z", "--others", "--exclude-standard"))


def differences(root: Path, base: str) -> tuple[tuple[str, ...], bytes]:
    """Return the files below `root` in which the work tree differs from a commit, and a patch without context.

    The files stand in the patch's order, under the names that they have now; what only moved does not differ in any
    line. Whatever git's configuration and `.gitattributes` say, all of it is read as text. Raises NotJudged where git
    fails.
    """
    plain = ("--no-ext-diff", "--no-textconv", "--no-color", "--text", "--ignore-submodules=all", "--find-renames")
    asked = ("diff", *plain, "-l0", "--relative")
    names = _records(_output(root, *asked, "--name-only", "-z", base, "--"))
    return tuple(names), _output(root, *asked, "--unified=0", "--inter-hunk-context=0", base, "--")


def merge_base(root: Path, tip: str, called: str) -> str:
    """Return the id of the commit at which a commit and HEAD parted; raises NotJudged where there is none.

    `tip` is the commit's id: what it is `called` may mean another one to git.
    """
    return _asked(root, "merge-base", tip, commit(root, "HEAD"), what=f"a merge base of {called} and HEAD")


def renamed_files(root: Path, base: str) -> tuple[tuple[str, str], ...]:
    """Return the files below `root` that git takes for others of a commit under new names: (before, now), sorted.

    Compared is the work tree; what git does not know yet (`git add -N`) it takes for nothing.
    """
    told = ("--name-status", "-z", "--find-renames", "-l0", "--diff-filter=R", "--no-ext-diff", "--relative")
    _score, *fields = ("", *_records(_output(root, "diff", *told, base, "--")))
    return tuple(sorted(zip(fields[1::3], fields[2::3], strict=True)))


def staged_files(root: Path) -> frozenset[str]:
    """Return the paths below `root` that the next commit would change; raises NotJudged without a repository."""
    _require_repository(root)
    return _paths(_output(root, "diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative"))


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
    found = [_unsettled_row(record) for record in _records(rows)]
    contents = _fetched(root, [blob for _path, _stage, blob in found])
    files: dict[str, dict[int, bytes]] = {}
    for path, stage, blob in found:
        files.setdefault(path, {})[stage] = contents[blob]
    return files


def _unsettled_row(record: str) -> tuple[str, int, str]:
    about, path = record.split("\t", 1)
    mode, blob, stage = about.split(" ")
    if mode == _SUBMODULE:
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
    _require_repository(root)
    branches = () if _UNAMBIGUOUS.match(ref) else (f"refs/remotes/{ref}", f"refs/heads/{ref}")
    known = (name for name in branches if _is_so(root, *_AS_COMMIT, f"{name}^{{commit}}"))
    return _asked(root, *_AS_COMMIT, f"{next(known, ref)}^{{commit}}", what=f"a commit {ref!r}")


def contains(root: Path, later: str, earlier: str) -> bool:
    """Say whether a commit is in the history of another one, as far as this clone has it."""
    return _is_so(root, "merge-base", "--is-ancestor", earlier, later)


def _is_so(root: Path, *question: str) -> bool:
    """Return whether git says yes."""
    try:
        _git(root, *question)
    except _Failed:
        return False
    except _Absent as absent:
        raise _absent() from absent
    return True


def first_parent(root: Path, of: str) -> str | None:
    """Return the id of a commit's first parent, None where it has none; raises NotJudged where this clone lacks it."""
    # The object itself is asked: where a shallow clone ends, history says that there is no parent.
    head = _output(root, "cat-file", "commit", of).split(b"\n\n", 1)[0].decode("utf-8", "replace")
    parents = [line.removeprefix("parent ") for line in head.splitlines() if line.startswith("parent ")]
    return commit(root, parents[0]) if parents else None


def is_edited(root: Path) -> bool:
    """Say whether a file that git tracks is otherwise than in the commit that is checked out."""
    return bool(_output(root, "diff", "--name-only", "-z", "--no-ext-diff", "HEAD", "--"))


def known_commit(root: Path, ref: str) -> str | None:
    """Return the id of the commit that `ref` names, None where this clone has no such name."""
    try:
        return commit(root, ref)
    except NotJudged:
        if find_repository(root) is None:
            raise
        return None


class _GitTree:
    """Files that git keeps: their paths are known at once, their bytes are fetched when asked for."""

    def __init__(self, root: Path, rows: Iterator[tuple[str, str, str]]) -> None:
        self._root, self._ahead = root, min(_FEW, _AHEAD)
        self._blobs: dict[str, bytes] = {}
        self._ids: dict[str, str] = {}
        links: dict[str, str] = {}
        sealed: list[str] = []
        for mode, blob, path in rows:
            if mode == _SUBMODULE:
                sealed.append(path)
            elif mode == _LINK:
                links[path] = blob
            else:
                self._ids[path] = blob
        self._order = sorted(self._ids, key=lambda path: (path.rpartition(".")[2], path))
        self._place = {path: place for place, path in enumerate(self._order)}
        targets = _fetched(root, list(links.values()))
        self._listing = Listing(self._ids, {path: text_of(targets[blob]) for path, blob in links.items()}, sealed)

    @property
    def files(self) -> frozenset[str]:
        """The paths of all regular files: what `tracked` is for such a tree."""
        return frozenset(self._ids)

    def list(self, directory: str) -> tuple[Entry, ...]:
        """Return the directory's entries sorted by name; raises NotJudged for a submodule or what is no directory."""
        return self._listing.list(directory)

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raises NotJudged where there is no such file."""
        real = self._listing.file(path)
        if real is None:
            raise NotJudged(Fault(path, 0, "there is no such file in this tree."))
        blob = self._ids[real]
        if blob not in self._blobs:
            place = self._place[real]
            self._blobs = _fetched(self._root, [self._ids[near] for near in self._order[place : place + self._ahead]])
            self._ahead = min(2 * self._ahead, _AHEAD)
        return self._blobs[blob]

    def exists(self, path: str) -> bool:
        """Say whether there is a file at the path."""
        return self._listing.file(path) is not None

    def identity(self, directory: str) -> object:
        """Return a value equal for two paths of one directory, so that links that loop can be told."""
        return self._listing.resolve(directory)


class GitTree(_GitTree):
    """The files below a folder as one revision has them."""

    def __init__(self, root: Path, rev: str) -> None:
        self.commit = commit(root, rev)
        super().__init__(root, _tree_rows(_output(root, "ls-tree", "-r", "-z", self.commit)))


class IndexTree(_GitTree):
    """The files below a folder as the next commit would have them."""

    def __init__(self, root: Path) -> None:
        _require_repository(root)
        super().__init__(root, _index_rows(_output(root, "ls-files", "-z", "--stage")))


def _tree_rows(output: bytes) -> Iterator[tuple[str, str, str]]:
    for record in _records(output):
        about, path = record.split("\t", 1)
        mode, _kind, blob = about.split(" ")
        yield mode, blob, path


def _index_rows(output: bytes) -> Iterator[tuple[str, str, str]]:
    for record in _records(output):
        about, path = record.split("\t", 1)
        mode, blob, stage = about.split(" ")
        if stage != "0":
            raise NotJudged(Fault(path, 0, "the index holds an unsettled merge.", "Settle the merge first."))
        yield mode, blob, path


def _fetched(root: Path, blobs: Sequence[str]) -> dict[str, bytes]:
    if not blobs:
        return {}
    asked = "".join(f"{blob}\n" for blob in dict.fromkeys(blobs))
    return dict(_blobs(_output(root, "cat-file", "--batch", given=asked.encode())))


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


def _records(output: bytes) -> list[str]:
    return [text_of(record) for record in output.split(b"\0") if record]


def _paths(output: bytes) -> frozenset[str]:
    return frozenset(_records(output))


class _Absent(Exception):
    """There is no `git` on this machine, or it sees no repository here."""


class _Failed(Exception):
    """Git was asked a question and answered "no"; the message is what it said."""


def _require_repository(root: Path) -> None:
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


def _output(root: Path, *arguments: str, given: bytes = b"") -> bytes:
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

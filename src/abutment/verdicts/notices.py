"""What should a reader of a run know, though it neither breaks nor stops anything?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from abutment.baselines.reading import Documents
from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.sources.universe import Root, Universe
from abutment.sources.walk import IGNORED, LINK_OUT

AMENDMENTS = "amendments.toml"  # the guard's document: it belongs to no gate
_MOST_NAMED = 5


def notices_on_files(universe: Universe, *, tracked_is_unknown: bool) -> Iterator[Fault]:
    """Yield what is to be known of files that were left out.

    `tracked_is_unknown` says that there is a repository and no git to ask which files are its own.
    """
    links = [path for path, rule in universe.left_out if rule == LINK_OUT and not path.endswith(".ipynb")]
    if links:
        message = f"nothing behind links that lead out of the project was read: {_named(links)}."
        yield Fault("", 0, message, "Where there is code of yours, put it in the link's place.")
    ignored = [path for path, rule in universe.left_out if rule == IGNORED and _in_a_root(path, universe.roots)]
    if tracked_is_unknown and ignored:
        message = f"git cannot be asked which files it tracks; taken for generated, and not read: {_named(ignored)}."
        yield Fault("", 0, message, "Install git where this runs.")


def notices_on_exclude(idle: Iterable[tuple[str, Site]]) -> Iterator[Fault]:
    """Yield each pattern of `exclude` that names nothing; `idle` are those, with their places."""
    for pattern, site in idle:
        yield Fault(site.path, site.line, f"exclude: {pattern!r} names nothing here.", "Correct it, or delete it.")


def notices_on_documents(documents: Documents, gates: Collection[str]) -> Iterator[Fault]:
    """Yield one notice of all documents that none of the gates reads."""
    paths = sorted({*documents.files, *documents.unread})
    names = [path.rpartition("/")[2] for path in paths if not path.endswith(f"/{AMENDMENTS}")]
    orphans = [name for name in names if name.rpartition(".")[0] not in gates]
    if orphans:
        message = f"no gate that is switched on reads {_named(orphans)}."
        yield Fault(documents.folder, 0, message, "Correct the name, switch the gate on in `gates`, or delete it.")


def notices_on_tables(documents: Documents, tables: Iterable[tuple[str, Site]]) -> Iterator[Fault]:
    """Yield each table of a gate that is not asked and has no document: it may have been meant to hold something."""
    known = {path.rpartition("/")[2].rpartition(".")[0] for path in (*documents.files, *documents.unread)}
    for gate, site in tables:
        if gate not in known:
            message = f"[{gate}] is set, and nothing is held by it: `gates` does not name {gate}."
            yield Fault(
                site.path, site.line, message, f"Add it to `gates`, or ask it by name: `abutment check {gate}`."
            )


def notices_on_comments(places: Iterable[Site]) -> Iterator[Fault]:
    """Yield one notice of all comments that no gate reads; `places` are theirs."""
    named = [site.place() for site in sorted(places)]
    if named:
        message = f"no gate that is switched on reads all of what `# abutment: …` says at {_named(named)}."
        yield Fault("", 0, message, "Switch the gate on in `gates`, or delete the comment.")


def _named(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - _MOST_NAMED
    return ", ".join(every[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _in_a_root(path: str, roots: Iterable[Root]) -> bool:
    return any(root.path == "." or f"{path}/".startswith(f"{root.path}/") for root in roots)

"""What does CI ask of us, as items of law: one for each gate that each part of CI runs?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from abutment.guard.ci.calls import ANY, EVERY, Call
from abutment.guard.ci.files import CiFile, ci_files
from abutment.guard.ci.place import seen_from
from abutment.guard.ci.proven import Repository
from abutment.guard.configuration import gate_key
from abutment.guard.item import Item, unread_item
from abutment.guard.likeness import bytes_of
from abutment.guard.revision import Gates, Revision
from abutment.guard.rules import CI
from abutment.guard.spelling import members
from abutment.guard.weight import NOT_THERE, Change, Remark, Weight
from abutment.model.site import Site

_ANY_BRANCH = " of any branch"
_UNCONFIGURED = "CI without a configuration"


@dataclass(frozen=True, slots=True)
class Runs:
    """Every way in which CI runs one thing. It is as strict as another where each way of that has its like in it."""

    ways: frozenset[tuple[frozenset[str], frozenset[str]]]  # (on what it runs, what softens it)

    @property
    def says(self) -> str:
        """The ways, the softened ones with what softens them."""
        return " or ".join(sorted(_told(*way) for way in self.ways)) or NOT_THERE

    def loosened(self, after: Weight) -> Iterator[Change]:
        """Yield one change where a way is run less often now, or counts for less."""
        ways = after.ways if isinstance(after, Runs) else frozenset()
        for when, softened in sorted(self.ways, key=lambda way: (len(way[1]), _told(*way))):
            if not any(_covers(w, when) and s <= softened for w, s in ways):
                yield Change("", self.says, after.says, _words(when, softened, ways))
                return


def _covers(when: frozenset[str], before: frozenset[str]) -> bool:
    """Say whether a step that runs on the first runs on all of the second, too."""
    everywhere = {one.removesuffix(_ANY_BRANCH) for one in when if one.endswith(_ANY_BRANCH)}
    return all(one in when or one.partition(" of ")[0] in everywhere for one in before)


def _told(when: frozenset[str], softened: frozenset[str]) -> str:
    runs = f"run on {', '.join(sorted(one for one in when if ' when ' not in one))}" if when else "run"
    return f"{runs}, with {'; '.join(sorted(softened))}" if softened else runs


def _words(when: frozenset[str], softened: frozenset[str], now: Iterable[tuple[frozenset[str], frozenset[str]]]) -> str:
    """Return what has become of a way of running, beside the way of today that is nearest to it."""
    ways = sorted(now, key=lambda way: (not _covers(way[0], when), len(way[1] - softened), _told(*way)))
    if not ways:
        return "is no longer run"
    on, soft = ways[0]
    more = sorted(soft - softened)
    if more:
        return f"counts for less: `{'`, `'.join(more)}` came to it"
    missing = sorted(one for one in when if not _covers(on, frozenset({one})))
    events = [one for one in missing if " when " not in one]
    return f"is no longer run on {', '.join(events or missing)}"


def ci_items(revision: Revision, _gates: Gates) -> Iterator[Item]:
    """Yield what each part of CI asks of us; a file that cannot be read is an item as well."""
    settings = revision.table.get("guard")
    table: Mapping[str, object] = settings if isinstance(settings, dict) else {}
    own, more = members(table.get("commands")), members(table.get("files"))
    files = list(ci_files(revision.top, own, more, revision.above, moved=revision.moved))
    for file in files:
        for fault in file.faults:
            yield unread_item(file.path, fault)
    yield from _unconfigured(revision)
    for (group, asks), calls in sorted(_by_question(revision, files).items()):
        ways = frozenset((call.when, call.softened) for _file, call in calls)
        file, call = min(calls, key=lambda found: (len(found[1].softened), found[0].path, found[1].line))
        site = Site(_below(revision, file.path), call.line)
        yield Item(f"CI ({group}): {asks}", CI, Runs(ways), site, Runs(frozenset()), _owners(revision, asks))


def _by_question(revision: Revision, files: Iterable[CiFile]) -> Mapping[tuple[str, str], list[tuple[CiFile, Call]]]:
    found: dict[tuple[str, str], list[tuple[CiFile, Call]]] = defaultdict(list)
    repository = Repository(revision.repository, partial(bytes_of, revision.top))
    for file in files:
        known = (repository.proven(call, file.folder) for call in file.calls)
        for call in (seen_from(call, revision.above, file.folder) for call in known):
            for asks in _spelled_out(revision, call.asks):
                found[file.group, f"{asks} of {call.config}" if call.config else asks].append((file, call))
    return found


def _spelled_out(revision: Revision, asks: str) -> list[str]:
    """Return what is asked gate by gate, so that naming the gates one by one is no difference."""
    if not asks.startswith(EVERY):
        return [asks]
    return [gate + asks[len(EVERY) :] for gate in revision.switched_on()]


def _unconfigured(revision: Revision) -> Iterator[Item]:
    """Yield the item to which those belong that only say that something is checked.

    They count where there was no configuration before: then nobody knows which gates a step asked. Every later revision
    has the item as well, so that it is on both sides just then.
    """
    if revision.settings is None or revision.present:
        nothing = Remark("")
        yield Item(_UNCONFIGURED, CI, nothing, Site(""), nothing)


def _owners(revision: Revision, asks: str) -> tuple[str, ...]:
    if asks.startswith(ANY):
        return (_UNCONFIGURED,)
    gate = asks.partition(" ")[0].rstrip(",")
    return (gate_key(gate),) if gate in revision.switched_on() else ()


def _below(revision: Revision, path: str) -> str:
    """Return a path from the top of the repository as it reads from the configuration."""
    if not revision.above:
        return path
    prefix = f"{revision.above}/"
    return path.removeprefix(prefix) if path.startswith(prefix) else "../" * (revision.above.count("/") + 1) + path

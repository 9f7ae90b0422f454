"""What stands above a class, in the order in which Python looks attributes up?

What the bases of a class are may depend on what stands above other classes (`class C(registry.Base)`), and in the end
on the class itself. Classes that lead to one another so are a circle. While one of a circle is worked out, of all of
it is known that there may be more above them, and no more; whichever of them is asked about first, the answers are the
same. Circles are found as Tarjan does (Depth-first search and linear graph algorithms, 1972).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from abutment.semantics.entries import End, Entries
from abutment.semantics.meaning import Value

ENUM = re.compile(r"^enum\.(Int|Str|Re)?(Enum|Flag)$|\.(Integer|Text)?Choices$")

_Bases = list[list[End]]  # each base, as all that it may be


@dataclass(frozen=True, slots=True)
class Ancestry:
    """A class and all above it, in the order in which attributes are looked up."""

    classes: tuple[End, ...]  # first-party ones as (module, atom); others as ("", path)
    is_open: bool  # whether one of them is not known, or may have been replaced
    is_enum: bool


class Ancestries:
    """What stands above each class; worked out when somebody asks."""

    def __init__(self, entries: Entries, ends: Callable[[str, Value], Iterable[End]]) -> None:
        """Take what the files say of their classes, and what follows a value to its ends."""
        self._entries, self._ends = entries, ends
        self.known: dict[End, Ancestry] = {}  # what was worked out
        self._path: list[End] = []  # the classes that are being worked out, each asked for by the one before it
        self._back: list[int] = []  # for each of them how far back on the path it is known to lead
        self._bases: dict[End, _Bases] = {}  # of those on the path, and of those whose circle is not closed yet
        self._waiting: list[End] = []  # the latter
        self._depth: dict[End, int] = {}  # where those stand, or how far back they lead
        self._replaced: set[End] = set()  # classes that a metaclass or a decorator may have changed

    @property
    def is_underway(self) -> bool:
        """Whether a class is being worked out, so that of those in a circle with it little is known yet."""
        return bool(self._path)

    def of(self, owner: End) -> Ancestry:
        """Return a class of the codebase with all above it (C3, as Python orders them)."""
        if owner not in self.known and owner not in self._depth:
            self._work_out(owner)
        known = self.known.get(owner)
        if known is None:
            self._lead_back(owner)
            return Ancestry((owner,), is_open=True, is_enum=False)
        return known

    def _work_out(self, owner: End) -> None:
        """Work a class out, its bases first; a loop, as a line of bases may be longer than Python's stack."""
        todo = [self._begin(owner)]
        while todo:
            base = next(todo[-1], None)
            if base is None:
                todo.pop()
                self._finish()
            elif base in self._depth:
                self._lead_back(base)
            elif base not in self.known:
                todo.append(self._begin(base))

    def _begin(self, owner: End) -> Iterator[End]:
        """Put a class on the path, and return its bases that are of the codebase."""
        self._depth[owner] = len(self._path)
        self._back.append(len(self._path))
        self._path.append(owner)
        module, atom = owner
        head = self._entries.head(module, atom)
        self._bases[owner] = [self._classes(module, base) for base in head.bases]
        if head.is_open or (head.doubts and self._ends(module, head.doubts)):
            self._replaced.add(owner)
        return (base for bases in self._bases[owner] for base in bases if base[0])

    def _lead_back(self, to: End) -> None:
        """Note that the last class on the path leads back to one whose circle is not closed."""
        depth = self._depth[to]
        for at in range(depth, len(self._path)):
            self._back[at] = min(self._back[at], depth)

    def _finish(self) -> None:
        """Take the last class off the path; if it leads no further back, its circle is closed."""
        owner, back, depth = self._path.pop(), self._back.pop(), len(self._path)
        self._waiting.append(owner)
        inner = [one for one in self._waiting if self._depth[one] >= depth]
        self._depth.update(dict.fromkeys(inner, back))
        if back == depth:
            self._waiting = [one for one in self._waiting if self._depth[one] < depth]
            circle = {one: self._bases.pop(one) for one in inner}
            for one in inner:
                del self._depth[one]
            self.known.update([(one, self._ordered(one, circle)) for one in inner])

    def _classes(self, module: str, base: Value) -> list[End]:
        value = tuple(one.removesuffix("[]").removesuffix(":") for one in base)
        return sorted(map(self._class_of, self._ends(module, value)))

    def _class_of(self, end: End) -> End:
        """Return a base that is a class; `?` for anything else that a base may be."""
        module, atom = end
        if not module:
            return ("", atom if atom[0] not in "?'~#*" and not atom.endswith("()") else "?")
        if atom[0] == "*":
            return ("", "?")
        return end if self._entries.is_class(module, atom) else ("", "?")

    # ---- order

    def _ordered(self, owner: End, circle: Mapping[End, _Bases]) -> Ancestry:
        """Return a class with what is above it, of which all is known but for those in a circle with it."""
        bases = circle[owner]
        above = {base: self._above(base, circle) for one in bases for base in one}
        sequences = [above[base] for one in bases for base in one]
        merged = (owner, *_merged([*sequences, [base for one in bases for base in one]]))
        is_open = any(self._is_open(one, circle) for one in merged)
        return Ancestry(merged, is_open, any(not where and ENUM.search(path) for where, path in merged))

    def _is_open(self, owner: End, circle: Mapping[End, _Bases]) -> bool:
        """Say whether something may stand above a class that is not known, or may have replaced it."""
        if owner in circle:
            return owner in self._replaced or any(len(one) != 1 for one in circle[owner])
        return self.known[owner].is_open if owner[0] else owner[1] == "?"

    def _above(self, start: End, circle: Mapping[End, _Bases]) -> list[End]:
        """Return a base with all above it; of a circle, which Python refuses, whatever the way."""
        found: dict[End, None] = {}
        todo = [start]
        while todo:
            one = todo.pop()
            if one in circle and one not in found:
                todo.extend(base for bases in reversed(circle[one]) for base in reversed(bases))
            found.update(dict.fromkeys(self.known[one].classes if one in self.known else (one,)))
        return list(found)


def _merged(sequences: list[list[End]]) -> list[End]:
    """Return the C3 merge (The Python 2.3 Method Resolution Order); in the order found where there is none."""
    merged: list[End] = []
    rest = [deque(sequence) for sequence in sequences if sequence]
    behind = Counter(one for sequence in sequences for one in sequence[1:])  # how often each stands in a tail
    while rest:
        chosen = next((sequence[0] for sequence in rest if not behind[sequence[0]]), None)
        if chosen is None:  # Python refuses such bases
            chosen = rest[0][0]
            rest = [deque(one for one in sequence if one != chosen) for sequence in rest]
            behind = Counter(one for sequence in rest for one in list(sequence)[1:])
        else:
            for sequence in rest:
                if sequence[0] == chosen:
                    sequence.popleft()
                    behind.subtract([sequence[0]] if sequence else ())
        merged.append(chosen)
        rest = [sequence for sequence in rest if sequence]
    return merged

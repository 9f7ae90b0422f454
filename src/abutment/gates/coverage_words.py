"""How does what no test runs, or what misses a limit, read?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from abutment.facts.coverage import BRANCHES, STATEMENTS, UNMEASURED
from abutment.gates.coverage_limits import CHANGED, FLOOR, Shortfall
from abutment.gates.gate import Rule
from abutment.model.identity import Key
from abutment.model.measurement import Evidence
from abutment.model.site import Site

RULES = {
    STATEMENTS: Rule("ABT041", "uncovered-statements", "A group has more statements that no test runs than before."),
    BRANCHES: Rule("ABT042", "uncovered-branches", "A group has more branches that no test takes than before."),
    UNMEASURED: Rule("ABT043", "unmeasured-file", "A file with statements is not measured."),
    FLOOR: Rule("ABT044", "below-floor", "Less is covered than the floor that is set."),
    CHANGED: Rule("ABT045", "uncovered-change", "Lines that were changed are run by no test."),
}
SET = frozenset({FLOOR, CHANGED})  # what is set, and cannot be recorded
COVER = "Cover what is new with a test, or have it approved in {policy}."
_MEASURE = "Have coverage measure it (`source` in its configuration), delete it, or have it approved in {policy}."
_REMEDIES = {UNMEASURED: _MEASURE, FLOOR: "Cover more with tests.", CHANGED: "Cover them with tests."}
_FILES, _RANGES = 5, 8  # that are named in the details


@dataclass(frozen=True, slots=True)
class Found:
    """What is uncovered, and what is below a limit."""

    places: Mapping[Key, list[Site]] = field(default_factory=dict)
    shortfalls: Mapping[Key, Shortfall] = field(default_factory=dict)

    def counts(self) -> dict[Key, int]:
        """Return how many there are of each."""
        counts = {key: len(sites) for key, sites in self.places.items()}
        return counts | {key: one.count for key, one in self.shortfalls.items()}

    def describe(self, key: Key) -> Evidence:
        """Return how one reads."""
        group, measure, module = key
        rule, sites = RULES.get(measure, RULES[STATEMENTS]).id, tuple(self.places.get(key, ()))
        if measure in SET:
            return self._limit(key, rule)
        if measure == UNMEASURED:
            return Evidence(rule, f"{module} has statements and was not measured", sites, (), _REMEDIES[measure])
        verb = "no test takes" if measure == BRANCHES else "no test runs"
        by_file = _by_file(sites)
        places = [Site(name, lines[0]) for name, lines in by_file.items()]
        return Evidence(
            rule=rule,
            what=f"{group} has {measure} that {verb}",
            sites=tuple(places[:1]),
            details=tuple(_details(by_file)),
            remedy=COVER,
            through=tuple(places[1:]),
        )

    def _limit(self, key: Key, rule: str) -> Evidence:
        group, measure, module = key
        found = self.shortfalls.get(key)
        if found is None:
            return Evidence(rule, f"{group or module or 'the whole'} is not below what is set")
        details = tuple(_details(_by_file(found.sites))) if measure == CHANGED else ()
        return Evidence(rule, found.what, found.sites[:1], details, _REMEDIES[measure], found.through)


def _by_file(sites: Iterable[Site]) -> dict[str, list[int]]:
    """Return the lines of each file, the file with the most of them first."""
    lines: dict[str, list[int]] = defaultdict(list)
    for site in sorted(sites):
        lines[site.path].append(site.line)
    return dict(sorted(lines.items(), key=lambda item: (-len(item[1]), item[0])))


def _details(by_file: Mapping[str, list[int]]) -> Iterator[str]:
    for name, lines in list(by_file.items())[:_FILES]:
        different = sorted(set(lines))
        ranges = list(_ranges(different))
        more = ", …" if ranges[_RANGES:] else ""
        yield f"{name}: {'lines' if different[1:] else 'line'} {', '.join(ranges[:_RANGES])}{more}."
    if len(by_file) > _FILES:
        yield f"and {len(by_file) - _FILES} more files."


def _ranges(lines: list[int]) -> Iterator[str]:
    """Yield 3, 7-9 for 3, 7, 8 and 9."""
    start = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or lines[at] != lines[at - 1] + 1:
            yield str(lines[start]) if at == start + 1 else f"{lines[start]}-{lines[at - 1]}"
            start = at

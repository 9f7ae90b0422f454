"""What is wrong with what the project depends on?

By package and not by version: an upgrade that does not cure leaves the fact what it was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from packaging.markers import Marker
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.site import Site
from abutment.sources.requirements import Pin
from abutment.sources.tools.pip_audit import Vulnerability
from abutment.sources.wanted import Wanted

UNPINNED, OUTSIDE, UNHASHED, OUTDATED, VULNERABLE = "unpinned", "outside", "unhashed", "outdated", "vulnerable"
ALL = "<all>"  # where no package alone is meant


@dataclass(frozen=True, slots=True, order=True)
class Trouble:
    """One thing that is wrong with one dependency."""

    kind: str
    package: str
    what: str  # the advisory's id, or the lock's path
    said: str = field(compare=False)
    site: Site = field(compare=False)


def scan_pins(wanted: Sequence[Wanted], pins: Sequence[Pin], lock: str) -> Iterator[Trouble]:
    """Yield where a requirement file does not hold what is declared, within its bounds, and with its hashes."""
    for name in dict.fromkeys(one.name for one in wanted):
        yield from _of_name(
            [one for one in wanted if one.name == name], [pin for pin in pins if pin.name == name], lock
        )
    are_hashed = any(pin.is_hashed for pin in pins)
    for pin in pins:
        if not pin.is_exact:
            yield Trouble(UNPINNED, pin.name, lock, f"{pin.name} is not pinned to one version", pin.site)
        elif are_hashed and not pin.is_hashed:
            yield Trouble(UNHASHED, pin.name, lock, f"{pin.name} has no hash, and others in {lock} have", pin.site)


def _of_name(wanted: Sequence[Wanted], pins: Sequence[Pin], lock: str) -> Iterator[Trouble]:
    """Yield what is wrong with one package: each declaration needs a pin, and each pin a declaration that allows it."""
    name, needed = wanted[0].name, [one for one in wanted if _holds_here(one.marker)]
    if not pins:
        said = f"{name} is declared in {wanted[0].site.path}, and {lock} does not pin it"
        yield from (Trouble(UNPINNED, name, lock, said, one.site) for one in needed[:1])
        return
    unmet = [one for one in needed if not any(_allows(one, pin) for pin in pins)]
    loose = [pin for pin in pins if not any(_allows(one, pin) for one in wanted)]
    if unmet or loose:
        bounds = " and ".join(dict.fromkeys(f"{name}{one.specifier}" for one in unmet or wanted))
        versions = ", ".join(pin.version for pin in loose or pins)
        said = f"{bounds} is declared in {wanted[0].site.path}, and {lock} pins {versions}"
        yield Trouble(OUTSIDE, name, lock, said, (loose or list(pins))[0].site)


def _allows(wanted: Wanted, pin: Pin) -> bool:
    """Say whether a declaration allows a pin; what names no version (an address, a range) is not held against it."""
    if not pin.version:
        return True
    try:
        return SpecifierSet(wanted.specifier).contains(Version(pin.version), prereleases=True)
    except InvalidVersion as error:
        place = pin.site
        raise NotJudged(Fault(place.path, place.line, f"{pin.version!r} is no version (PEP 440).")) from error


def _holds_here(marker: str) -> bool:
    return not marker or Marker(marker).evaluate()


def scan_vulnerabilities(
    found: Iterable[Vulnerability], places: Iterable[Pin | Wanted], granted: Collection[tuple[str, ...]]
) -> Iterator[Trouble]:
    """Yield each vulnerability once, under the id by which it is granted, else the best known one."""
    sites = {one.name: one.site for one in reversed(list(places))}
    seen = set[tuple[str, str]]()
    for one in sorted(found, key=lambda each: (each.package, each.ids, each.version)):
        known = next((each for each in one.ids if (VULNERABLE, one.package, each) in granted), one.ids[0])
        if (one.package, known) not in seen:
            seen.add((one.package, known))
            yield Trouble(VULNERABLE, one.package, known, _told(one), sites.get(one.package, Site("")))


def _told(one: Vulnerability) -> str:
    cure = f"fixed in {', '.join(one.fixed_in)}" if one.fixed_in else "not fixed in any version"
    return f"{one.package} {one.version} has a known vulnerability, {cure} ({', '.join(one.ids)})"


def unaudited(names: Iterable[Pin | Wanted], audited: Collection[str]) -> list[str]:
    """Return the packages that should have been looked at and were not."""
    return sorted({one.name for one in names if _holds_here(one.marker)} - set(audited))

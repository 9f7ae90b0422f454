"""On what does the project say that it depends? Its `pyproject.toml` tells (PEP 621, PEP 735); nothing is resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.reading import dotted
from abutment.model.site import Site
from abutment.sources.toml_document import Path, TomlDocument, load_toml

PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One dependency that the project declares."""

    name: str  # as PEP 503 normalises it
    specifier: str  # ">=8.1,<9"; "" for any version
    marker: str  # "" where it is needed everywhere
    site: Site


def read_wanted(data: bytes, groups: Sequence[str] = (), extras: Sequence[str] = ()) -> tuple[Wanted, ...]:
    """Return the dependencies of the project itself, of these dependency groups, and of these extras.

    Raises NotJudged where one of them cannot be read, or is told by the build alone (`dynamic`).
    """
    reader = _Reader(load_toml(PYPROJECT, data))
    found = [*reader.of_project()]
    for extra in extras:
        found += reader.of_extra(extra)
    for group in groups:
        found += reader.of_group(group, ())
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class _Written:
    """One requirement, with the extras of that package for which it asks."""

    wanted: Wanted
    extras: tuple[str, ...]


class _Reader:
    def __init__(self, document: TomlDocument) -> None:
        self._document = document
        project = document.table.get("project")
        if not isinstance(project, Mapping):
            raise NotJudged(Fault(PYPROJECT, 0, "has no [project], so nothing says what is needed."))
        self._project = project
        self._name = canonicalize_name(str(project.get("name", "")))
        groups = document.table.get("dependency-groups", {})
        self._groups = groups if isinstance(groups, Mapping) else {}

    def of_project(self) -> Iterator[Wanted]:
        self._refuse_dynamic("dependencies")
        listed = self._requirements(self._project.get("dependencies", []), ("project", "dependencies"))
        yield from (one.wanted for one in listed)

    def of_extra(self, extra: str, above: tuple[str, ...] = ()) -> Iterator[Wanted]:
        """Yield what an extra asks for; in the project x, `x[all]` asks for another extra of its own."""
        self._refuse_dynamic("optional-dependencies")
        if canonicalize_name(extra) in above:
            raise NotJudged(Fault(PYPROJECT, 0, f"the extra {extra!r} asks for itself."))
        extras = self._project.get("optional-dependencies")
        name, listed = _named(extra, extras, "[project.optional-dependencies]")
        for one in self._requirements(listed, ("project", "optional-dependencies", name)):
            yield from self._expanded(one, (*above, canonicalize_name(extra)))

    def _expanded(self, one: _Written, above: tuple[str, ...] = ()) -> Iterator[Wanted]:
        if one.wanted.name != self._name:
            yield one.wanted
            return
        for extra in one.extras:
            yield from self.of_extra(extra, above)

    def of_group(self, group: str, above: tuple[str, ...]) -> Iterator[Wanted]:
        if canonicalize_name(group) in above:
            raise NotJudged(Fault(PYPROJECT, 0, f"the dependency group {group!r} includes itself."))
        name, listed = _named(group, self._groups, "[dependency-groups]")
        at: Path = ("dependency-groups", name)
        for index, entry in enumerate(self._list(listed, at)):
            included = entry.get("include-group") if isinstance(entry, Mapping) else None
            if isinstance(included, str):
                yield from self.of_group(included, (*above, canonicalize_name(group)))
            else:
                yield from self._expanded(self._requirement(entry, (*at, index)))

    def _requirements(self, listed: object, at: Path) -> Iterator[_Written]:
        for index, entry in enumerate(self._list(listed, at)):
            yield self._requirement(entry, (*at, index))

    def _list(self, listed: object, at: Path) -> list[object]:
        if isinstance(listed, list):
            return listed
        raise NotJudged(Fault(PYPROJECT, self._document.locate(at), f"{dotted(at)}: expected a list of requirements."))

    def _requirement(self, entry: object, at: Path) -> _Written:
        line = self._document.locate(at)
        try:
            requirement = Requirement(entry if isinstance(entry, str) else "")
        except InvalidRequirement as error:
            raise NotJudged(Fault(PYPROJECT, line, f"{entry!r} is no requirement.")) from error
        name = canonicalize_name(requirement.name)
        wanted = Wanted(name, str(requirement.specifier), str(requirement.marker or ""), Site(PYPROJECT, line))
        return _Written(wanted, tuple(sorted(requirement.extras)))

    def _refuse_dynamic(self, key: str) -> None:
        dynamic = self._project.get("dynamic", [])
        if isinstance(dynamic, list) and key in dynamic:
            line = self._document.locate(("project", "dynamic"))
            raise NotJudged(Fault(PYPROJECT, line, f"{key} is dynamic: only a build could tell what is needed."))


def _named(name: str, table: object, where: str) -> tuple[str, object]:
    """Return the entry of a table under a name that is spelt in any of the ways which mean the same."""
    found = {canonicalize_name(key): key for key in table} if isinstance(table, Mapping) else {}
    key = found.get(canonicalize_name(name))
    if key is None or not isinstance(table, Mapping):
        raise NotJudged(Fault(PYPROJECT, 0, f"{where} has no {name!r}.", "Correct it in the settings of the gate."))
    return key, table[key]

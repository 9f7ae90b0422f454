"""Along which imports does a target come by what it loads?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from abutment.facts.graph import ImportGraph, Parents, Reading, import_graph
from abutment.model.site import Site
from abutment.semantics.program import Flag, Program
from abutment.sources.tools.startup import Answer

_AT_IMPORT = Reading(Flag.MODULE, Parents.ALL)
_EVER = Reading(Flag.MODULE | Flag.DEFERRED, Parents.ALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One import on the way."""

    importer: str
    imported: str
    site: Site  # without a path where the importer is not the project's

    @property
    def words(self) -> str:
        """How it reads."""
        return f"{self.importer} imports {self.imported}" + (f" ({self.site.place()})" if self.site.path else "")


class Chains:
    """The shortest chains in a program's imports; the graphs are made where somebody asks."""

    def __init__(self, program: Program, answers: Mapping[str, Answer]) -> None:
        """Remember who imported what in each target's process, for what no import in the code explains."""
        self._program, self._answers = program, answers

    def to(self, target: str, name: str) -> tuple[Step, ...]:
        """Return how the target comes to load a module, or the first one of a package; () where nobody can tell.

        Of the imports that happen at import time; else also of those in functions, as something calls these; else who
        imported whom when it was tried.
        """
        return self._written(self._at_import, target, name) or self._observed(target, name) or self._ever(target, name)

    @cached_property
    def _at_import(self) -> ImportGraph:
        return import_graph(self._program, _AT_IMPORT, externals=True)

    @cached_property
    def _at_any_time(self) -> ImportGraph:
        return import_graph(self._program, _EVER, externals=True)

    def _ever(self, target: str, name: str) -> tuple[Step, ...]:
        return self._written(self._at_any_time, target, name)

    def _written(self, graph: ImportGraph, target: str, name: str) -> tuple[Step, ...]:
        above = accumulate(target.split("."), lambda package, part: f"{package}.{part}")  # they run as well
        sources = [graph.number[one] for one in above if one in graph.number]
        targets = {node for one, node in graph.number.items() if one == name or self._is_part(one, name)}
        chain = graph.chain(sources, targets)
        return tuple(self._step(graph, one, other) for one, other in pairwise(chain))

    def _is_part(self, one: str, name: str) -> bool:
        """Say whether a module outside of the code is part of a package, as `yaml.nodes` is of `yaml`."""
        return name not in self._program.modules and one not in self._program.modules and one.startswith(f"{name}.")

    def _step(self, graph: ImportGraph, importer: int, imported: int) -> Step:
        rows = [self._program.import_at(row) for row in graph.rows(importer, imported)]
        first = min(rows, key=lambda one: (one.via != "written", one.site))
        return Step(graph.names[importer], graph.names[imported], first.site)

    def _observed(self, target: str, name: str) -> tuple[Step, ...]:
        return tuple(reversed(list(self._back(target, name))))

    def _back(self, target: str, name: str) -> Iterator[Step]:
        answer, seen = self._answers.get(target), set[str]()
        while answer is not None and name in answer.importers and name != target and name not in seen:
            seen.add(name)
            importer, line = answer.importers[name]
            if importer == "__main__":
                return  # a package above the target, which runs first
            module = self._program.modules.get(importer)
            yield Step(importer, name, Site(module.path, line) if module else Site(""))
            name = importer

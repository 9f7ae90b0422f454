"""How does the graph look from further away? Modules folded into the packages above them."""

from __future__ import annotations

from collections.abc import Collection

from abutment.facts.graph import ImportGraph
from abutment.semantics.program import Flag, Program

Edge = tuple[str, str, str]  # importer, imported, the strongest word of the imports between them
_STRONGEST_FIRST = ("runtime", "optional", "dynamic", "deferred", "type_only")


def condensed(
    program: Program, graph: ImportGraph, chosen: Collection[int], depth: int | None
) -> tuple[list[str], list[Edge]]:
    """Return nodes and edges among the chosen modules, names cut to `depth` dotted parts (None: whole names).

    An edge's word is `runtime` as soon as one of its imports is. An edge inside one folded package is left out.
    """
    names = {node: folded(graph.names[node], depth) for node in chosen}
    words: dict[tuple[str, str], str] = {}
    for importer, imported in graph.edges():
        one, other = names.get(importer), names.get(imported)
        if one is None or other is None or one == other:
            continue
        found = [_word(program.columns.flags[row]) for row in graph.rows(importer, imported)]
        words[one, other] = min([*found, words.get((one, other), found[0])], key=_STRONGEST_FIRST.index)
    return sorted(set(names.values())), [(one, other, word) for (one, other), word in sorted(words.items())]


def folded(name: str, depth: int | None) -> str:
    """Return the first `depth` dotted parts of a name."""
    return name if depth is None else ".".join(name.split(".")[:depth])


def _word(flags: int) -> str:
    if flags & Flag.TYPE_ONLY:
        return "type_only"
    if flags & Flag.DYNAMIC:
        return "dynamic"
    if flags & Flag.DEFERRED:
        return "deferred"
    return "optional" if flags & Flag.OPTIONAL else "runtime"

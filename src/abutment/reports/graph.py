"""How is a graph of modules drawn by another tool? DOT, Mermaid and JSON, sorted and escaped."""

from __future__ import annotations

from collections.abc import Iterable

from abutment.reports.characters import encodable, visible
from abutment.reports.plain_json import dump

Edge = tuple[str, str, str]  # importer, imported, and the import's word ("" or "runtime" is drawn plain)
_PLAIN = frozenset({"", "runtime"})


def render_dot(nodes: Iterable[str], edges: Iterable[Edge]) -> str:
    """Return a Graphviz digraph; what is not a plain import is dashed and bears its word."""
    names, arrows = _sorted(nodes, edges)
    lines = ["digraph imports {", "    rankdir=LR;", "    node [shape=box];"]
    lines += [f"    {_quoted(name)};" for name in names]
    lines += [f"    {_quoted(importer)} -> {_quoted(imported)}{_style(word)};" for importer, imported, word in arrows]
    return "".join(f"{line}\n" for line in [*lines, "}"])


def _style(word: str) -> str:
    return "" if word in _PLAIN else f" [style=dashed, label={_quoted(word)}]"


def _quoted(text: str) -> str:
    # A backslash begins an escape of DOT's own (\N is the node's name), so it is doubled.
    escaped = visible(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def render_mermaid(nodes: Iterable[str], edges: Iterable[Edge]) -> str:
    """Return a Mermaid flowchart; names are labels, as a module may be called `end`."""
    names, arrows = _sorted(nodes, edges)
    id_of = {name: f"m{index}" for index, name in enumerate(names)}
    lines = ["flowchart LR"]
    lines += [f'    {id_of[name]}["{_label(name)}"]' for name in names]
    lines += [f"    {id_of[importer]} {_arrow(word)} {id_of[imported]}" for importer, imported, word in arrows]
    return "".join(f"{line}\n" for line in lines)


def _arrow(word: str) -> str:
    return "-->" if word in _PLAIN else f'-. "{_label(word)}" .->'


def _label(text: str) -> str:
    shown = visible(text).replace("&", "#amp;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
    return shown.replace("`", "#96;")


def render_graph_json(nodes: Iterable[str], edges: Iterable[Edge]) -> str:
    """Return `{"schema": 1, "nodes": [...], "edges": [{"importer", "imported", "word"}]}`."""
    names, arrows = _sorted(nodes, edges)
    listed = [{"importer": importer, "imported": imported, "word": word} for importer, imported, word in arrows]
    return dump({"schema": 1, "nodes": [encodable(name) for name in names], "edges": listed})


def _sorted(nodes: Iterable[str], edges: Iterable[Edge]) -> tuple[list[str], list[Edge]]:
    arrows = sorted(set(edges))
    ends = {end for importer, imported, _word in arrows for end in (importer, imported)}
    return sorted(ends.union(nodes)), arrows

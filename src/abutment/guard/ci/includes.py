"""What does a GitLab pipeline say as a whole, with the files of the repository that it includes?

What is included from elsewhere (a template, another project, an address) is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abutment.guard.ci.matching import matching
from abutment.guard.spelling import spelled
from abutment.sources.tree import Tree
from abutment.sources.yaml_document import YamlDocument, load_yaml, mapping, sequence

INCLUDE = "include"
LOCAL = "local"


class Pipeline:
    """The files of a pipeline, as they are read."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.read: dict[str, bytes] = {}

    def document(self, path: str) -> YamlDocument:
        """Return a file with all that it includes; raises NotJudged for one that is no YAML.

        What a file says itself goes before what it includes, and of two that it includes the later one does.
        """
        self.read[path] = self._tree.read(path)
        document = load_yaml(path, self.read[path])
        own, below = mapping(document.value), dict[str, object]()
        entries = sequence(own.get(INCLUDE))
        for part in (part for entry in entries for part in self._local(entry) if part not in self.read):
            found = mapping(self.document(part).value)
            entries = [*entries, *sequence(found.get(INCLUDE))]
            below = _merged(below, found)
        return YamlDocument({**_merged(below, own), **({INCLUDE: entries} if entries else {})}, document.locate)

    def _local(self, entry: object) -> Iterator[str]:
        name = entry if isinstance(entry, str) else mapping(entry).get(LOCAL, "")
        if isinstance(name, str) and name and "://" not in name:
            yield from sorted(matching(self._tree, spelled(name).removeprefix("/")))


def _merged(under: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """Return two mappings as one, as GitLab joins them: mappings in them as well, and lists not."""
    found = {**under, **over}
    for key in under.keys() & over.keys():
        if isinstance(under[key], dict) and isinstance(over[key], dict):
            found[key] = _merged(mapping(under[key]), mapping(over[key]))
    return found

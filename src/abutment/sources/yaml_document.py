"""What does a YAML document say, and on which line?

Every scalar is kept as its text: whether `on` is a truth value is a matter of the version of YAML, and no matter here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from abutment.errors import NotJudged
from abutment.model.fault import Fault

Path = tuple[str | int, ...]
_MOST_VALUES = 200_000  # what is written once and referred to often may stand for any number of values
_MERGE, _REFERENCE = "<<", "!reference"


class Reference(list[object]):
    """A list that stands for what it is the way to, from the top of the document: GitLab's `!reference`."""


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """One document as texts, lists and mappings, and a function from the path of a value to its line."""

    value: object
    locate: Callable[[Path], int]


def load_yaml(path: str, data: bytes) -> YamlDocument:
    """Return the document, several in one file as one; raises NotJudged where it is no YAML."""
    import yaml  # only where there is a file of that kind

    try:
        nodes = list(yaml.compose_all(data, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 0
        raise NotJudged(Fault(path, line, f"no valid YAML: {error.problem or error.context}.")) from error
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise NotJudged(Fault(path, 0, f"no YAML that can be read: {' '.join(str(error).split())}.")) from error
    reader = _Reader(path)
    values = [reader.value(node, ()) for node in nodes]
    whole = {key: found for value in values for key, found in mapping(value).items()}
    return YamlDocument(values[0] if len(values) == 1 else whole, reader.line)


class _Reader:
    """Turns nodes into values, and keeps the line of each."""

    def __init__(self, path: str) -> None:
        self._path, self._lines = path, dict[Path, int]()
        self._within: set[int] = set()

    def line(self, path: Path) -> int:
        """Return the line of a value, or of the nearest one around it."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 0)

    def value(self, node: Any, at: Path) -> object:
        """Return what a node says; raises NotJudged where it says too much, or itself."""
        self._lines[at] = node.start_mark.line + 1
        if len(self._lines) > _MOST_VALUES or id(node) in self._within or len(at) > 100:
            raise NotJudged(Fault(self._path, node.start_mark.line + 1, "the document repeats itself without end."))
        self._within.add(id(node))
        found = self._found(node, at)
        self._within.discard(id(node))
        return found

    def _found(self, node: Any, at: Path) -> object:
        if node.id == "scalar":
            return str(node.value)
        if node.id == "sequence":
            members = [self.value(member, (*at, index)) for index, member in enumerate(node.value)]
            return Reference(members) if node.tag == _REFERENCE else members
        merged: dict[str, object] = {}
        own: dict[str, object] = {}
        for name, member in node.value:
            key = str(name.value) if name.id == "scalar" else "?"
            found = self.value(member, (*at, key))
            if key == _MERGE:
                for part in found if isinstance(found, list) else [found]:
                    merged.update({k: v for k, v in mapping(part).items() if k not in merged})
            else:
                self._lines[(*at, key)] = name.start_mark.line + 1
                own[key] = found
        return {**merged, **own}


def mapping(value: object) -> Mapping[str, object]:
    """Return the value where it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[object]:
    """Return the value where it is a list; a single one is a list of one, and nothing is an empty one."""
    return value if isinstance(value, list) else [] if value in (None, "") else [value]

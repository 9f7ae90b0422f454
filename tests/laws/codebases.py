"""Small codebases to draw from: a few packages in layers, and imports of every spelling between them.

The leaf names differ from package to package, so that no import in one module ever changes what an import in
another one means: what a package binds itself would come before its submodule of that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

PACKAGES = ("app", "app.high", "app.mid", "app.low")
MODULES = (*PACKAGES, "app.high.h1", "app.high.h2", "app.mid.m1", "app.low.l1", "app.low.l2", "app.bare.n1")
LAYERS = ("app.high", "app.mid", "app.low")
HEAD = "import sys\nfrom importlib import import_module\nfrom typing import TYPE_CHECKING\n"

CONTRACTS = """
[[contracts]]
id = "layers"
kind = "layers"
layers = ["app.high", "app.mid", "app.low"]

[[contracts]]
id = "reach"
kind = "forbidden"
sources = ["app.low"]
forbidden = ["app.high", "json"]
indirect = true
"""


@dataclass(frozen=True, order=True)
class Line:
    """One import as it is written: `spelling` is a key of `SPELLINGS`."""

    importer: str
    imported: str
    spelling: str = "plain"

    @property
    def text(self) -> str:
        above, _, leaf = self.imported.rpartition(".")
        name = self.imported.replace(".", "_")
        filled = SPELLINGS[self.spelling].format(
            module=self.imported, above=above, leaf=leaf, name=name, relative=_relative(self.importer, above)
        )
        return filled if above or self.spelling not in ("from", "relative") else f"import {self.imported}\n"


SPELLINGS: Mapping[str, str] = {
    "plain": "import {module}\n",
    "from": "from {above} import {leaf}\n",
    "relative": "from {relative} import {leaf}\n",
    "star": "from {module} import *\n",
    "optional": "try:\n    import {module}\nexcept ImportError:\n    pass\n",
    "constant": 'import_module("{module}")\n',
    "deferred": "def load_{name}():\n    import {module}\n",
    "typed": "if TYPE_CHECKING:\n    import {module}\n",
    "missing": "import {module}.nowhere\n",
    "unknown": "def find_{name}(which):\n    return import_module(which)\n",
    "outside": "import json\n",
}
AT_IMPORT = ("plain", "from", "relative", "star", "optional", "constant")
WRITTEN = (*AT_IMPORT, "deferred")


def _relative(importer: str, above: str) -> str:
    """Return how the importer names the package `above` with dots."""
    package = importer if importer in PACKAGES else importer.rpartition(".")[0]
    level, tail = 1, package
    while not (above == tail or above.startswith(f"{tail}.")) and tail:
        tail, level = tail.rpartition(".")[0], level + 1
    return "." * level + above[len(tail) + 1 :]


def path_of(module: str) -> str:
    return module.replace(".", "/") + ("/__init__.py" if module in PACKAGES else ".py")


def sources(lines: Iterable[Line], modules: Iterable[str] = MODULES) -> dict[str, str]:
    """Return the files of a codebase with these imports, in the order given."""
    texts = dict.fromkeys(modules, HEAD)
    for line in dict.fromkeys(lines):
        texts[line.importer] += line.text
    return {path_of(module): text for module, text in texts.items()}


def configuration(*, hold: str = "edges", deferred: bool = False, parents: str = "own") -> str:
    """Return an `abutment.toml` for such codebases, with the three gates that are ratchets."""
    return (
        'roots = ["app"]\ngates = ["blindspots", "cycles", "boundaries"]\n\n'
        f'[cycles]\nhold = "{hold}"\ndeferred = {str(deferred).lower()}\nparents = "{parents}"\n{CONTRACTS}'
    )


def project(lines: Iterable[Line], settings: str | None = None) -> dict[str, str]:
    """Return a codebase with its configuration."""
    return {"abutment.toml": configuration() if settings is None else settings, **sources(lines)}


def upward(line: Line) -> bool:
    """Say whether an import leads from a lower layer to a higher one; works from the text of the names alone."""
    low, high = _layer(line.importer), _layer(line.imported)
    return line.spelling in WRITTEN and low > high >= 0


def _layer(module: str) -> int:
    found = [level for level, layer in enumerate(LAYERS) if f"{module}.".startswith(f"{layer}.")]
    return found[0] if found else -1


def lines(spellings: Iterable[str] = tuple(SPELLINGS)) -> st.SearchStrategy[Line]:
    """Draw one import between two different modules."""
    ends = st.tuples(st.sampled_from(MODULES), st.sampled_from(MODULES)).filter(lambda pair: pair[0] != pair[1])
    return st.builds(lambda pair, word: Line(pair[0], pair[1], word), ends, st.sampled_from(tuple(spellings)))


def codebases(
    spellings: Iterable[str] = tuple(SPELLINGS), *, least: int = 0, most: int = 14
) -> st.SearchStrategy[list[Line]]:
    """Draw the imports of a codebase, each once."""
    return st.lists(lines(spellings), min_size=least, max_size=most, unique=True)


def settings() -> st.SearchStrategy[str]:
    """Draw one of the ways in which a codebase can be held."""
    return st.builds(
        lambda hold, deferred, parents: configuration(hold=hold, deferred=deferred, parents=parents),
        st.sampled_from(["edges", "members"]),
        st.booleans(),
        st.sampled_from(["own", "shared", "none"]),
    )

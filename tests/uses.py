"""Uses from short texts, for tests of everything that asks what names mean.

uses_of({"m.py": "import httpx\\nhttpx.get('')"})
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from abutment.semantics.interpret import interpret
from abutment.semantics.lower import outline
from abutment.semantics.meaning import Meaning
from abutment.semantics.names import Names
from abutment.semantics.outline import Outline
from abutment.semantics.program import Module, ModuleKind
from abutment.semantics.provenance import Provenance
from abutment.semantics.uses import Known, Use, Uses


def uses_of(files: Mapping[str, str]) -> Uses:
    """Return the uses of a tree of which every file parses."""
    modules: dict[str, Module] = {}
    meanings: dict[str, Meaning] = {}
    provenances: dict[str, Provenance] = {}
    for path, text in files.items():
        name = path.removesuffix(".py").replace("/", ".")
        is_package = name == "__init__" or name.endswith(".__init__")
        name = name.removesuffix(".__init__")
        found = outline(text.encode(), name, is_package, ".py")
        assert isinstance(found, Outline), found
        modules[name] = Module(name, path, ModuleKind.SOURCE, is_package, "source")
        meanings[name], does = interpret(found)
        assert does is not None
        provenances[name] = does
    return Uses(lambda: Known(Names(modules, meanings), provenances))


@dataclass
class Calls:
    """How many calls Python made, which does not depend on the machine."""

    made: int = 0


@contextmanager
def counted_calls() -> Iterator[Calls]:
    """Count the calls that Python makes meanwhile."""
    calls = Calls()

    def count(_frame: object, _event: str, _argument: object) -> None:
        calls.made += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def shown(use: Use) -> str:
    """Return one use as the conformance suite writes it."""
    origins = sorted(use.origins, key=lambda one: (one == "?", one))
    words = [
        word
        for word in ("async", "awaited", "managed", "spread", "item", "main_only", "waiting")
        if getattr(use, f"is_{word}")
    ]
    words += ["module"] if use.when == "module" else []
    return (
        f"{use.site.path}:{use.site.line} {use.verb} {' '.join(origins)}{f' ({chr(32).join(words)})' if words else ''}"
    )

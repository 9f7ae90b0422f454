"""Which imports does the interpreter itself carry out? Runs in a child process, on the standard library alone.

    python recorder.py REQUEST.json ANSWER.json

The request names the package, the modules to import and code to run first. `__import__` and
`importlib.import_module` are wrapped before anything else happens; `__import__` is called for every import
statement, also for modules that are loaded already. Only edges with both ends inside the package are kept: importer,
imported, how, whether module code or a function did it, the line, and whether the target was written there or is
a package that had to run for it. The answer also says which modules could not be imported and why, and which names
each of the others holds in the end.
"""

from __future__ import annotations

import builtins
import dis
import importlib
import importlib.util
import inspect
import json
import keyword
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

real_import = builtins.__import__
real_import_module = importlib.import_module
CAUSE_LENGTH = 160
IMPORT_NAME = dis.opmap["IMPORT_NAME"]


class Recorder:
    """The edges seen so far: (importer, imported, how, when, line, via)."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.edges: set[tuple[str, str, str, str, int, str]] = set()

    def install(self) -> None:
        """Take the place of the interpreter's own functions."""
        builtins.__import__ = self.statement
        importlib.import_module = self.import_module

    def statement(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """Import as the statement would, and record what it named."""
        module = real_import(name, globals, locals, fromlist or (), level)
        caller = sys._getframe(1)
        context = caller.f_globals if globals is None else globals
        written = set(targets(name, context, fromlist or (), level))
        self.keep(caller, str(context.get("__name__", "")), written, manner(caller))
        return module

    def import_module(self, name: str, package: str | None = None) -> ModuleType:
        """Import as importlib does, and record it for the module whose code called."""
        module = real_import_module(name, package)
        caller = sys._getframe(1)
        written = {importlib.util.resolve_name(name, package)}
        self.keep(caller, str(caller.f_globals.get("__name__", "")), written, "import_module")
        return module

    def keep(self, caller: FrameType, importer: str, written: set[str], how: str) -> None:
        """Record the written targets, and every package with code that had to run for them."""
        parents = {parent for target in written for parent in ancestors(target)} - written
        for imported, via in [*((name, "written") for name in written), *((name, "parent") for name in parents)]:
            if self.inside(importer) and self.inside(imported):
                self.edges.add((importer, imported, how, moment(caller), caller.f_lineno, via))

    def inside(self, module: str) -> bool:
        return module == self.package or module.startswith(self.package + ".")


def manner(caller: FrameType) -> str:
    """Return how the caller imports: by a statement of its file, by one in text that it runs, or by a call."""
    if caller.f_code.co_code[caller.f_lasti] != IMPORT_NAME:
        return "__import__"
    written = caller.f_code.co_filename == caller.f_globals.get("__file__")
    return "statement" if written else "statement in executed text"


def moment(caller: FrameType) -> str:
    """Return "module" for module code and class bodies, "deferred" for the code of a function."""
    return "deferred" if caller.f_code.co_flags & inspect.CO_OPTIMIZED else "module"


def targets(name: str, globals: Mapping[str, Any], fromlist: Sequence[str], level: int) -> Iterator[str]:
    """Yield the modules that the statement named: the module, and each name that turned out to be a submodule."""
    base = absolute(name, globals, level)
    yield base
    module = sys.modules.get(base)
    for wanted in fromlist:
        names = getattr(module, "__all__", ()) if wanted == "*" else (wanted,)
        for attribute in names:
            submodule = sys.modules.get(f"{base}.{attribute}")
            if submodule is not None and getattr(module, attribute, submodule) is submodule:
                yield f"{base}.{attribute}"


def absolute(name: str, globals: Mapping[str, Any], level: int) -> str:
    """Return the name of the module that `name` at that level means, by the rules of PEP 366."""
    if level == 0:
        return name
    package = globals.get("__package__")
    if package is None:
        package = globals["__name__"]
        if "__path__" not in globals:
            package = package.rpartition(".")[0]
    return importlib.util.resolve_name("." * level + name, package)


def ancestors(module: str) -> Iterator[str]:
    """Yield the packages above the module that have code of their own; a namespace directory has none."""
    parent = module.rpartition(".")[0]
    while parent:
        if getattr(sys.modules.get(parent), "__file__", None) is not None:
            yield parent
        parent = parent.rpartition(".")[0]


def import_all(modules: Sequence[str]) -> dict[str, str]:
    """Import each module in turn; return the cause for each that could not be imported."""
    failed = {}
    for module in modules:
        try:
            real_import_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a module may end the process (SystemExit) or raise what it likes
            failed[module] = cause(error)
    return failed


def held_names(modules: Sequence[str]) -> dict[str, list[str]]:
    """Return the names that could be taken from each of the modules that are loaded."""
    loaded = {module: vars(sys.modules[module]) for module in modules if module in sys.modules}
    return {module: sorted(filter(is_name, names)) for module, names in loaded.items()}


def is_name(text: object) -> bool:
    return isinstance(text, str) and text.isidentifier() and not keyword.iskeyword(text)


def cause(error: BaseException) -> str:
    """Return the kind and the first line of what the error says, cut to a length."""
    said = str(error).strip().splitlines()
    text = f"{type(error).__name__}: {said[0] if said else ''}"
    return text if len(text) <= CAUSE_LENGTH else text[: CAUSE_LENGTH - 1] + "…"


def main() -> None:
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    recorder = Recorder(request["package"])
    recorder.install()
    exec(request["setup"], {"__name__": "setup"})
    failed = import_all(request["modules"])
    answer = {"edges": sorted(recorder.edges), "failed": failed, "names": held_names(request["modules"])}
    Path(sys.argv[2]).write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Which imports does the interpreter itself carry out? Runs in a child process, on the standard library alone.

    python recorder.py REQUEST.json ANSWER.json

The request names the package, the modules to import and code to run first. `__import__` and
`importlib.import_module` are wrapped before anything else happens; `__import__` is called for every import
statement, also for modules that are loaded already. Only edges with both ends inside the package are kept.
"""

from __future__ import annotations

import builtins
import dis
import importlib
import importlib.util
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

real_import = builtins.__import__
real_import_module = importlib.import_module
CAUSE_LENGTH = 100
IMPORT_NAME = dis.opmap["IMPORT_NAME"]


class Recorder:
    """The edges seen so far: (importer, imported, how)."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.edges: set[tuple[str, str, str]] = set()

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
        importer = str(context.get("__name__", ""))
        for imported in targets(name, context, fromlist or (), level):
            self.keep(importer, imported, manner(caller))
        return module

    def import_module(self, name: str, package: str | None = None) -> ModuleType:
        """Import as importlib does, and record it for the module whose code called."""
        module = real_import_module(name, package)
        importer = str(sys._getframe(1).f_globals.get("__name__", ""))
        self.keep(importer, importlib.util.resolve_name(name, package), "import_module")
        return module

    def keep(self, importer: str, imported: str, how: str) -> None:
        if self.inside(importer) and self.inside(imported):
            self.edges.add((importer, imported, how))

    def inside(self, module: str) -> bool:
        return module == self.package or module.startswith(self.package + ".")


def manner(caller: FrameType) -> str:
    """Return how the caller imports: by a statement of its file, by one in text that it runs, or by a call."""
    if caller.f_code.co_code[caller.f_lasti] != IMPORT_NAME:
        return "__import__"
    written = caller.f_code.co_filename == caller.f_globals.get("__file__")
    return "statement" if written else "statement in executed text"


def targets(name: str, globals: Mapping[str, Any], fromlist: Sequence[str], level: int) -> Iterator[str]:
    """Yield the modules that the statement named: the module, and each name that turned out to be a submodule."""
    base = absolute(name, globals, level)
    yield base
    module = sys.modules.get(base)
    for wanted in fromlist:
        names = getattr(module, "__all__", ()) if wanted == "*" else (wanted,)
        for attribute in names:
            submodule = sys.modules.get(f"{base}.{attribute}")
            if submodule is not None and getattr(module, attribute, None) is submodule:
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


def import_all(modules: Sequence[str]) -> dict[str, str]:
    """Import each module in turn; return the cause for each that could not be imported."""
    failed = {}
    for module in modules:
        try:
            real_import_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a module may end the process (SystemExit) or raise what it likes
            failed[module] = f"{type(error).__name__}: {error}".splitlines()[0][:CAUSE_LENGTH]
    return failed


def main() -> None:
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    recorder = Recorder(request["package"])
    recorder.install()
    exec(request["setup"], {"__name__": "setup"})
    failed = import_all(request["modules"])
    answer = {"edges": sorted(recorder.edges), "failed": failed}
    Path(sys.argv[2]).write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Which functions of Python import a module by its name, or run code that no import names, and how?

The rules are those of the library reference: `importlib`, `runpy`, `pkgutil.resolve_name`; `pydoc.locate` is not
documented and read from its source.
"""

from __future__ import annotations

from collections.abc import Mapping


class Way:
    """How a function imports."""

    MODULE = "module"  # `import_module`: a dotted name, with leading dots relative to a package
    BUILTIN = "builtin"  # `__import__`: binds the top package; has `fromlist` and `level`
    RUN = "run"  # `run_module`: of a package, its `__main__`
    OBJECT = "object"  # `resolve_name`, `locate`: an object's path, of which as much is imported as are modules
    LOAD = "load"  # a file, or a spec: what runs need have no name that could be imported


WAYS: Mapping[str, str] = {
    "importlib.import_module": Way.MODULE,
    "importlib.__import__": Way.BUILTIN,
    "builtins.__import__": Way.BUILTIN,
    "runpy.run_module": Way.RUN,
    "pkgutil.resolve_name": Way.OBJECT,
    "pydoc.locate": Way.OBJECT,
    "runpy.run_path": Way.LOAD,
    "importlib.util.module_from_spec": Way.LOAD,
    "importlib.machinery.SourceFileLoader": Way.LOAD,
    "importlib.machinery.SourcelessFileLoader": Way.LOAD,
    "importlib.machinery.ExtensionFileLoader": Way.LOAD,
    "imp.load_source": Way.LOAD,  # `imp` is in 3.11, not in 3.12
    "imp.load_compiled": Way.LOAD,
    "imp.load_dynamic": Way.LOAD,
}
# What the first parameter is called, which holds the name.
NAME_PARAMETERS: Mapping[str, str] = {
    "runpy.run_module": "mod_name",
    "pydoc.locate": "path",
}
_LAST: Mapping[str, str] = {name.rpartition(".")[2]: name for name in WAYS}
# The atoms of those that whoever is handed one can call. A loader's class is handed to `isinstance`, too.
FUNCTIONS = frozenset(
    atom
    for name in WAYS
    if not name.endswith("Loader")
    for atom in (":".join(name.rsplit(".", 1)), name.replace(".", ":", 1))
)


def importer_of(atom: object) -> str:
    """Return the dotted name of the importer that an atom is; "" where it is none."""
    name = atom.replace(":", ".") if isinstance(atom, str) else ""
    return name if name in WAYS else ""


def alike(atom: object) -> str:
    """Return the importer that has the name by which an atom ends, and which it may be once it is looked up."""
    last = atom.rpartition(":")[2].rpartition(".")[2] if isinstance(atom, str) else ""
    return _LAST.get(last, "")

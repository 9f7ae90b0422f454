"""Which modules does a call of `import_module` or `__import__` name, and which names does a literal table provide?"""

from __future__ import annotations

from abutment.semantics.meaning import DynamicRow, LazyName
from abutment.semantics.outline import Row
from abutment.semantics.reading import ANY, NOTHING, Atom, Atoms, Reading, outward, texts_of

IMPORTERS = {"importlib:import_module": False, "importlib:__import__": True, "builtins:__import__": True}


def named_values(r: Reading, row: Row) -> dict[str, Atoms]:
    """Return a call's keyword arguments."""
    pairs = r.o.lists[row[3]]
    return {r.o.strings[name]: r.value(operand) for name, operand in zip(pairs[::2], pairs[1::2], strict=True)}


def dynamic_import(r: Reading, row: Row, callee: Atoms, arguments: list[Atoms]) -> Atoms:
    """Note a dynamic import and return the module it gives."""
    named = named_values(r, row)
    builtin = any(IMPORTERS.get(str(atom), str(atom).endswith("__import__")) for atom in callee)
    name = arguments[0] if arguments else named.get("name", ANY)
    package = arguments[1] if len(arguments) > 1 else named.get("package", NOTHING)
    fromlist = arguments[3] if len(arguments) > 3 else named.get("fromlist", NOTHING)
    names = set[str]()
    for atom in name:
        names |= _looked_up(r, atom)
    level = _level(r, row, named, builtin)
    r.dynamic.append(
        DynamicRow(
            () if callee & IMPORTERS.keys() else outward(callee),
            builtin,
            tuple(sorted(names)),
            () if builtin else outward(package),
            tuple(sorted(r.elements(fromlist))) if builtin else (),
            level,
            int(r.flags()),
            r.guard,
            r.scope_name(),
            r.o.places[row[4]],
        )
    )
    if r.scope == r.getattr_scope and r.scope and not builtin:
        _provide(r, name, package)
    return _imported_module(r, name, builtin)


def _level(r: Reading, row: Row, named: dict[str, Atoms], builtin: bool) -> int:
    """Return the level of an `__import__`, or -1 where it has one that cannot be read."""
    given = r.o.lists[row[2]]
    atoms = r.value(given[4]) if len(given) > 4 else named.get("level", frozenset(("#0",)))
    known = [atom[1:] for atom in atoms if isinstance(atom, str) and atom.startswith("#")]
    if not builtin:
        return 0
    return int(known[0]) if len(known) == len(atoms) == 1 else -1


def _looked_up(r: Reading, atom: Atom) -> set[str]:
    """Return every text that a look-up in a literal table can give."""
    if not isinstance(atom, str):
        return {"?"}
    if atom.startswith("["):
        return {text for _, text in _entries(r, atom)} or {"?"}
    if atom.startswith("{"):
        body, _, beginning = atom[1:].partition("<")
        row, _, part = body.partition(".")
        keys = [key for key, _ in r.tables.get(int(row), ())] if part == "0" else []
        return {_prefixed(beginning, text) for key in keys for text in texts_of(key)} or {"?"}
    return {atom if atom[:1] in "'~" else "?"}


def _prefixed(beginning: str, text: str) -> str:
    return f"'{beginning}{text[1:]}" if text.startswith("'") else f"~{beginning}" if beginning else "?"


def _entries(r: Reading, atom: str) -> list[tuple[str, str]]:
    """Return (key, text) for a look-up atom: the text that each key gives, "?" where it cannot be read."""
    body, _, beginning = atom[1:].partition("<")
    row, _, part = body.partition(".")
    found = []
    for key, value in r.tables.get(int(row), ()):
        texts = texts_of(_part_of(r, value, int(part)) if part else value)
        found += [(name, _prefixed(beginning, text)) for name in sorted(texts_of(key)) for text in sorted(texts)]
    return found


def _part_of(r: Reading, value: Atoms, part: int) -> Atoms:
    found = set[Atom]()
    for atom in value:
        parts = r.parts.get(atom, []) if isinstance(atom, int) else []
        found |= parts[part][1] if part < len(parts) else ANY
    return frozenset(found)


def _provide(r: Reading, names: Atoms, package: Atoms) -> None:
    """Note what a module's own `__getattr__` provides from a literal table."""
    for atom in sorted(names, key=str):
        if not isinstance(atom, str) or atom[:1] not in "[{":
            continue
        if atom.startswith("["):
            entries = _entries(r, atom)
        else:
            row = int(atom[1:].partition("<")[0].partition(".")[0])
            beginning = atom.partition("<")[2]
            entries = [
                (name, _prefixed(beginning, text))
                for key, value in r.tables.get(row, ())
                for name in sorted(r.elements(value))
                for text in sorted(texts_of(key))
            ]
        for name, text in entries:
            if name.startswith("'") and text.startswith("'"):
                r.lazy.append(LazyName(name[1:], text[1:], outward(package), ""))


def name_lazy_attributes(r: Reading, attribute: Atoms) -> None:
    """Note which attribute of the module the names provided so far stand for."""
    by_name: dict[str, str] = {}
    for atom in attribute:
        if isinstance(atom, str) and atom.startswith("["):
            by_name.update((name[1:], text[1:]) for name, text in _entries(r, atom) if text.startswith("'"))
    same = "$" in attribute
    r.lazy = [
        one._replace(attribute=by_name.get(one.name, one.name if same else "")) if not one.attribute else one
        for one in r.lazy
    ]


def _imported_module(r: Reading, names: Atoms, builtin: bool) -> Atoms:
    if r.scope == r.getattr_scope and r.scope:
        return frozenset((f"^{r.row_at}",))
    found = set[Atom]()
    for atom in names:
        plain = isinstance(atom, str) and atom.startswith("'") and len(atom) > 1 and atom[1] != "."
        text = str(atom)[1:]
        found.add((text.partition(".")[0] if builtin else text) if plain else "?")
    return frozenset(found)


def read_lazy_loader(r: Reading) -> None:
    """Note what `__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, …)` provides."""
    for atom in r.final["__getattr__"]:
        if not isinstance(atom, str) or not atom.startswith("!"):
            continue
        row = r.o.rows[int(atom[1:].partition(".")[0])]
        r.scope, r.env = 0, r.final
        arguments, named = r.list_values(row[2]), named_values(r, row)
        package = outward(arguments[0]) if arguments else ("?",)
        modules = arguments[1] if len(arguments) > 1 else named.get("submodules", NOTHING)
        symbols = arguments[2] if len(arguments) > 2 else named.get("submod_attrs", NOTHING)
        for name in sorted(r.elements(modules)):
            if name.startswith("'"):
                r.lazy.append(LazyName(name[1:], "." + name[1:], package, ""))
        for table in symbols:
            for key, value in r.tables.get(table, ()) if isinstance(table, int) else ():
                for module in sorted(texts_of(key)):
                    for name in sorted(r.elements(value)):
                        if module.startswith("'") and name.startswith("'"):
                            r.lazy.append(LazyName(name[1:], "." + module[1:], package, name[1:]))

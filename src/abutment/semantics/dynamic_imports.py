"""Which modules does a call of an importer name, and which names does a literal table provide?"""

from __future__ import annotations

from collections.abc import Iterable

from abutment.semantics.importers import FUNCTIONS, NAME_PARAMETERS, WAYS, Way, alike, importer_of
from abutment.semantics.meaning import DynamicRow, LazyName, Value
from abutment.semantics.outline import ROW, Op, Row
from abutment.semantics.reading import ANY, BUILTINS, NOTHING, Atom, Atoms, Reading, outward, texts_of


def named_values(r: Reading, row: Row) -> dict[str, Atoms]:
    """Return a call's keyword arguments."""
    pairs = r.o.lists[row[3]]
    return {r.o.strings[name]: r.value(operand) for name, operand in zip(pairs[::2], pairs[1::2], strict=True)}


def dynamic_import(r: Reading, row: Row, callee: Atoms, arguments: list[Atoms]) -> Atoms:
    """Note what a call imports by name, where it may be an importer's, and return what it gives."""
    found = NOTHING
    for importer in sorted({alike(atom) for atom in callee} - {""}):
        like = {atom for atom in callee if alike(atom) == importer}
        certain: Value = () if any(map(importer_of, like)) else outward(callee)
        way = WAYS[importer]
        if way in (Way.MODULE, Way.BUILTIN):
            found |= _module_import(r, row, certain, way == Way.BUILTIN, arguments)
            continue
        found |= ANY
        if way == Way.LOAD:
            _note(r, row, certain, way, (f"'{importer}",))
            continue
        parameter = NAME_PARAMETERS.get(importer, "name")
        names = _texts(r, arguments[0] if arguments else named_values(r, row).get(parameter, ANY))
        _note(r, row, certain, way, tuple(sorted(_paths(importer, names))))
    return found or ANY


def _paths(importer: str, names: Value) -> set[str]:
    """Return the names as the importer reads them.

    In a path with a colon, which only `resolve_name` has, what stands before it is the module, whatever follows.
    `locate` looks for a path that names no module among the builtins.
    """
    if importer == "pydoc.locate":
        return set(names) - {f"'{name}" for name in BUILTINS}
    if importer != "pkgutil.resolve_name":
        return set(names)
    return {f"'{name[1:].partition(':')[0]}:" if ":" in name[2:] else name for name in names if name[1:2] != ":"}


def _module_import(r: Reading, row: Row, certain: Value, builtin: bool, arguments: list[Atoms]) -> Atoms:
    """Note a call of `import_module` or `__import__`, and return the module it gives."""
    named = named_values(r, row)
    name = arguments[0] if arguments else named.get("name", ANY)
    package = arguments[1] if len(arguments) > 1 else named.get("package", NOTHING)
    fromlist = arguments[3] if len(arguments) > 3 else named.get("fromlist", NOTHING)
    level = _level(r, row, named, builtin)
    packages = () if builtin else _texts(r, package)
    listed = tuple(sorted(r.elements(fromlist - {"None"}))) if builtin else ()
    way = Way.BUILTIN if builtin else Way.MODULE
    _note(r, row, certain, way, _texts(r, name), packages, listed, level)
    if r.scope == r.getattr_scope and r.scope and not builtin:
        _provide(r, name, packages)
    if level or "?" in listed:
        return ANY
    return _imported_module(r, name, builtin and not listed)


def hand_over(r: Reading, row: Row, arguments: list[Atoms]) -> None:
    """Note where an importer itself is an argument: whoever gets it may import anything."""
    every = [*arguments, *named_values(r, row).values()] if row[3] else arguments
    if not all(map(FUNCTIONS.isdisjoint, every)):
        _note(r, row, (), Way.MODULE, ("?",))


def keep(r: Reading, row: Row) -> None:
    """Note where an importer is put out of sight: whoever reads it there may import anything."""
    if not FUNCTIONS.isdisjoint(r.value(row[1])):
        _note(r, row, (), Way.MODULE, ("?",))


def _note(
    r: Reading,
    row: Row,
    callee: Value,
    way: str,
    names: Value,
    package: Value = (),
    fromlist: Value = (),
    level: int = 0,
) -> None:
    flags, place = int(r.flags()), r.o.places[row[4]]
    context = (flags, r.guard, r.scope_name(), place)
    r.dynamic.append(DynamicRow(callee, way, names, package, fromlist, level, *context))


def _texts(r: Reading, atoms: Atoms) -> Value:
    """Return the texts, beginnings of texts and "?" that a value gives, look-ups in tables followed."""
    found = set[str]()
    for atom in atoms:
        found |= _looked_up(r, atom)
    return tuple(sorted(found))


def _level(r: Reading, row: Row, named: dict[str, Atoms], builtin: bool) -> int:
    """Return the level of an `__import__`, or -1 where it has one that cannot be read."""
    given = r.o.lists[row[2]]
    spread = any(one & 3 == ROW and r.o.rows[one >> 2][0] == Op.SPLAT for one in given)
    if builtin and (spread or "" in named):  # `*arguments` and `**keywords` may hold anything
        return -1
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


def _provide(r: Reading, names: Atoms, package: Value) -> None:
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
                r.lazy.append(LazyName(name[1:], text[1:], package, ""))


def name_lazy_attributes(r: Reading, attribute: Atoms) -> None:
    """Note which attribute of the module the names provided so far stand for."""
    by_name: dict[str, str] = {}
    for atom in sorted(attribute, key=str):
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


def read_lazy_loader(r: Reading) -> list[str]:
    """Note what `__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, …)` provides, and return the names."""
    found: list[LazyName] = []
    for atom in sorted(r.final.get("__getattr__", ()), key=str):
        if isinstance(atom, str) and atom.startswith("!"):
            r.scope, r.env = 0, r.final
            found += _attached(r, r.o.rows[int(atom[1:].partition(".")[0])])
    r.lazy += found
    return [one.name for one in found]


def _attached(r: Reading, row: Row) -> list[LazyName]:
    arguments, named = r.list_values(row[2]), named_values(r, row)
    package = outward(arguments[0]) if arguments else ("?",)
    modules = arguments[1] if len(arguments) > 1 else named.get("submodules", NOTHING)
    symbols = arguments[2] if len(arguments) > 2 else named.get("submod_attrs", NOTHING)
    found = [LazyName(name, "." + name, package, "") for name in _plain_texts(r.elements(modules))]
    for table in symbols:
        for key, value in r.tables.get(table, ()) if isinstance(table, int) else ():
            for module in _plain_texts(texts_of(key)):
                found += [LazyName(name, "." + module, package, name) for name in _plain_texts(r.elements(value))]
    return found


def _plain_texts(atoms: Iterable[str]) -> list[str]:
    return sorted(atom[1:] for atom in atoms if atom.startswith("'"))

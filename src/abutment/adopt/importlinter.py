"""Which contracts does an import-linter configuration hold, and how do they read here?

The contracts that are returned give the verdicts that import-linter gives: `reading = "statements"` and, unless its
configuration leaves them out, `include = ["type_only"]`. What gives another verdict is not carried over but named.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from abutment.adopt.configuration import Carried
from abutment.errors import NotJudged
from abutment.model.fault import Fault
from abutment.model.selector import Selector, within
from abutment.sources.toml_document import load_toml
from abutment.sources.tree import Tree

INI_FILES = ("setup.cfg", ".importlinter")
TOML_FILE = "pyproject.toml"
SECTION = "importlinter"
ALERTING = {"error": "unmatched", "warn": "note", "none": "silent", "": "unmatched"}
ABOUT = (
    'import-linter reads import statements alone: `reading = "statements"`. Take it out, contract by contract, to '
    "judge also constant dynamic imports, and packages that run on the way to a submodule."
)

Options = Mapping[str, object]
Contract = dict[str, object]


class _Left(Exception):
    """A contract cannot be carried over; the text says why."""


@dataclass(frozen=True, slots=True)
class _Session:
    """What the configuration says for all contracts."""

    file: str
    options: Options
    contracts: tuple[Options, ...]
    modules: frozenset[str]

    @property
    def roots(self) -> tuple[str, ...]:
        """The root packages."""
        return tuple(_many(self.options, "root_packages") or _many(self.options, "root_package"))

    @property
    def counts_typing(self) -> bool:
        """Say whether imports for the type checker count."""
        return not _truth(self.options, "exclude_type_checking_imports", default=False)

    def is_internal(self, name: str) -> bool:
        """Say whether a name, or what a wildcard may stand for, lies in a root package."""
        head = name.partition(".")[0]
        return "*" in head or any(within(root, head) for root in self.roots)


def carry_over(tree: Tree, modules: Collection[str] = ()) -> Carried:
    """Return the contracts of the tree's import-linter configuration, and what there is to say about them.

    `modules` are the names of all first-party modules; some wildcards cannot be carried over without them.
    Raises NotJudged where there is no configuration or it cannot be read.
    """
    return _carried_over(_session(tree, frozenset(modules)))


def carry_over_file(path: str, data: bytes, modules: Collection[str] = ()) -> Carried:
    """Do the same with one file, whatever it is called; raises NotJudged where it is no such configuration."""
    read = _in_toml if path.endswith(".toml") else _in_ini
    session = read(path, data, frozenset(modules))
    if session is None:
        raise NotJudged(Fault(path, 0, "says nothing of import-linter."))
    return _carried_over(session)


def _carried_over(session: _Session) -> Carried:
    contracts: list[Contract] = []
    lines: list[str] = [ABOUT]
    for options in session.contracts:
        name = _title(options)
        try:
            made = list(_carried(session, options))
        except _Left as cause:
            lines.append(f"NOT carried over from {session.file}: contract {name!r}: {cause}")
            continue
        for contract in made:
            contract["id"] = _free_id(str(contract["id"]), (str(other["id"]) for other in contracts))
            contracts.append(contract)
        ids = ", ".join(str(contract["id"]) for contract in made)
        lines.append(f"Carried over from {session.file}: contract {name!r} as {ids}.")
    return Carried(contracts=tuple(contracts), lines=tuple(lines))


# ---- reading the files


def _session(tree: Tree, modules: frozenset[str]) -> _Session:
    for file in (*INI_FILES, TOML_FILE):
        if tree.exists(file):
            session = (_in_toml if file == TOML_FILE else _in_ini)(file, tree.read(file), modules)
            if session is not None:
                return session
    looked = ", ".join((*INI_FILES, TOML_FILE))
    raise NotJudged(Fault("", 0, f"there is no import-linter configuration; looked into {looked}."))


def _in_ini(file: str, data: bytes, modules: frozenset[str]) -> _Session | None:
    parser = _ini(file, data)
    return _from_ini(file, parser, modules) if parser.has_section(SECTION) else None


def _in_toml(file: str, data: bytes, modules: frozenset[str]) -> _Session | None:
    tool = load_toml(file, data).table.get("tool", {})
    options = tool.get(SECTION) if isinstance(tool, dict) else None
    if not isinstance(options, dict) or not options:
        return None
    contracts = options.get("contracts", [])
    tables = tuple(table for table in contracts if isinstance(table, dict))
    return _checked(_Session(file, options, tables, modules))


def _ini(file: str, data: bytes) -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    try:
        parser.read_string(data.decode("utf-8"))
    except (configparser.Error, UnicodeDecodeError) as error:
        said = " ".join(str(error).split())
        raise NotJudged(Fault(file, getattr(error, "lineno", 0), f"cannot be read: {said}")) from error
    return parser


def _from_ini(file: str, parser: configparser.ConfigParser, modules: frozenset[str]) -> _Session:
    try:
        sections = {name: dict(parser[name]) for name in parser.sections()}
    except configparser.Error as error:
        raise NotJudged(Fault(file, 0, f"cannot be read: {' '.join(str(error).split())}")) from error
    contracts = tuple(
        {"id": name.rpartition(":")[2], **_lists(options)}
        for name, options in sections.items()
        if name.startswith(f"{SECTION}:")
    )
    return _checked(_Session(file, _lists(sections[SECTION]), contracts, modules))


def _lists(section: Mapping[str, str]) -> dict[str, object]:
    return {key: value.strip().split("\n") if "\n" in value else value for key, value in section.items()}


def _checked(session: _Session) -> _Session:
    if not session.roots:
        raise NotJudged(Fault(session.file, 0, "import-linter's `root_package` is missing."))
    return session


def _many(options: Options, key: str) -> tuple[str, ...]:
    value = options.get(key, ())
    values = value if isinstance(value, list | tuple) else (value,)
    return tuple(str(one).strip() for one in values if str(one).strip())


def _needed(options: Options, key: str) -> tuple[str, ...]:
    found = _many(options, key)
    if not found:
        raise _Left(f"its `{key}` is missing.")
    return found


def _truth(options: Options, key: str, *, default: bool) -> bool:
    value = str(options.get(key, default)).lower()
    if value not in ("true", "false"):
        raise _Left(f"its `{key}` is neither true nor false.")
    return value == "true"


# ---- from one contract to ours


def _title(options: Options) -> str:
    return str(options.get("name") or options.get("id") or "without a name")


def _free_id(wanted: str, taken: Iterable[str]) -> str:
    used = set(taken)
    tries = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(used) + 2))
    return next(name for name in tries if name not in used)


def _carried(session: _Session, options: Options) -> Iterator[Contract]:
    known = {
        "layers": _layers,
        "forbidden": _forbidden,
        "independence": _independence,
        "protected": _protected,
        "acyclic_siblings": _acyclic_siblings,
    }
    name = str(options.get("type", ""))
    if name == "private_modules":
        raise _Left("its type private_modules also holds for modules still to be written; no kind here can say that.")
    if name not in known:
        raise _Left(f"its type {name!r} is the project's own code, which is not run.")
    make: Callable[[_Session, Options], Iterator[Contract]] = known[name]
    for law in make(session, options):
        yield _common(session, options, law)


def _common(session: _Session, options: Options, law: Contract) -> Contract:
    given, title = str(options.get("id") or ""), str(options.get("name") or "")
    # A number says nothing, and changes with the order of the contracts.
    name = (given if not given.isdecimal() else title or given) or title or str(law["kind"])
    contract: Contract = {"id": re.sub(r"[^0-9a-z]+", "-", name.lower()).strip("-") or str(law["kind"]), **law}
    contract["reading"] = "statements"
    if session.counts_typing:
        contract["include"] = ["type_only"]
    ignores = _many(options, "ignore_imports")
    if ignores:
        contract["ignore"] = sorted({_ignore(session, text) for text in ignores})
        contract["unused_ignores"] = _alerting(options)
    if options.get("name"):
        contract["reason"] = str(options["name"])
    guidance = _many(options, "broken_contract_guidance")
    if guidance:
        contract["instead"] = " ".join(guidance)
    return contract


def _alerting(options: Options) -> str:
    word = str(options.get("unmatched_ignore_imports_alerting", "error")).strip()
    if word not in ALERTING:
        raise _Left(f"its `unmatched_ignore_imports_alerting` is {word!r}.")
    return ALERTING[word]


def _ignore(session: _Session, text: str) -> str:
    importer, arrow, imported = (part.strip() for part in text.partition("->"))
    if not arrow:
        raise _Left(f"its ignored import {text!r} is no import.")
    # import-linter knows of an outside package only its top name, which stands for all of it.
    target = _module(imported) if session.is_internal(imported) else _package(imported)
    return f"{_module(importer)} -> {target}"


def _module(text: str) -> str:
    """Return the selector for the module alone."""
    return _package(f"={text}")


def _package(text: str) -> str:
    """Return the selector for a module with all below it."""
    try:
        return Selector(text).text
    except ValueError as error:
        raise _Left(f"{error}.") from error


def _layers(_session: _Session, options: Options) -> Iterator[Contract]:
    law: Contract = {"kind": "layers", "indirect": True, "layers": list(_needed(options, "layers"))}
    containers = _many(options, "containers")
    if containers:
        law["containers"] = [_package(text) for text in containers]
    if _truth(options, "exhaustive", default=False):
        law["exhaustive"] = True
        ignored = _many(options, "exhaustive_ignores")
        if ignored:
            law["exhaustive_ignores"] = list(ignored)
    yield law


def _forbidden(session: _Session, options: Options) -> Iterator[Contract]:
    sources, forbidden = _needed(options, "source_modules"), _needed(options, "forbidden_modules")
    whole = _truth(options, "as_packages", default=True)
    spell = _package if whole else _module
    law: Contract = {"kind": "forbidden", "indirect": not _truth(options, "allow_indirect_imports", default=False)}
    overlaps = _Overlaps(session, whole)
    if not any(overlaps.between(one, other) for one in sources for other in forbidden):
        yield {**law, "sources": [spell(text) for text in sources], "forbidden": [spell(text) for text in forbidden]}
        return
    # Pairs of which one holds the other are skipped there; so every source gets a list of its own.
    targets = [name for text in forbidden for name in overlaps.expanded(text)]
    named = [name for text in sources for name in overlaps.expanded(text)]
    left = {source: [spell(other) for other in targets if not overlaps.between(source, other)] for source in named}
    if not any(left.values()):
        raise _Left(
            "each source holds, or lies in, what it is forbidden; such pairs are skipped there, so it says nothing."
        )
    for source, others in left.items():
        if others:
            yield {**law, "sources": [spell(source)], "forbidden": sorted(set(others))}


@dataclass(frozen=True, slots=True)
class _Overlaps:
    """Which names of a contract stand for modules of which one holds the other."""

    session: _Session
    whole: bool  # names stand for packages

    def between(self, one: str, other: str) -> bool:
        """Say whether the two overlap, or with wildcards might."""
        if "*" in one or "*" in other:
            return self._may_meet(one.split("."), other.split("."))
        return one == other or (self.whole and (within(one, other) or within(other, one)))

    def expanded(self, text: str) -> list[str]:
        """Return the modules that the text names; raises _Left where a wildcard cannot be looked up."""
        if "*" not in text:
            return [text]
        if not self.session.modules:
            raise _Left(f"{text!r} overlaps with the other side; write out the modules it stands for.")
        named = Selector("=" + text)
        return sorted(name for name in self.session.modules if named.matches(name))

    def _may_meet(self, one: Sequence[str], other: Sequence[str]) -> bool:
        for first, second in zip(one, other, strict=False):
            if "**" in (first, second):
                return True
            if "*" not in (first, second) and first != second:
                return False
        return self.whole or len(one) == len(other)


def _independence(_session: _Session, options: Options) -> Iterator[Contract]:
    modules = _needed(options, "modules")
    if any("**" in text.split(".") for text in modules):
        raise _Left("its `**` names modules that hold each other, which cannot be independent.")
    yield {"kind": "independence", "indirect": True, "modules": [_package(text) for text in modules]}


def _protected(_session: _Session, options: Options) -> Iterator[Contract]:
    spell = _package if _truth(options, "as_packages", default=True) else _module
    yield {
        "kind": "protected",
        "protected": [spell(text) for text in _needed(options, "protected_modules")],
        "allowed_importers": [spell(text) for text in _many(options, "allowed_importers")],
        "unused_allowances": "silent",
    }


def _acyclic_siblings(_session: _Session, options: Options) -> Iterator[Contract]:
    law: Contract = {
        "kind": "acyclic_siblings",
        "ancestors": [_package(text) for text in _needed(options, "ancestors")],
    }
    if "depth" in options:
        text = str(options["depth"])
        if not text.isdecimal():
            raise _Left(f"its `depth` is {text!r}.")
        law["depth"] = int(text)
    skipped = _many(options, "skip_descendants")
    if skipped:
        law["skip_descendants"] = [_package(text) for text in skipped]
    yield law

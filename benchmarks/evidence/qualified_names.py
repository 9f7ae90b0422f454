"""Do our origins agree with LibCST's qualified names? Every difference has to have a known reason.

    python -m benchmarks.evidence.qualified_names [--all] [--of N] [CORPUS…]

Compared is what is called, wherever LibCST's `QualifiedNameProvider` says what it is: a path of names and dots whose
first name an import, a `def`, a `class` or nobody binds (then it is a builtin). It looks at scopes and not at the order
in which things happen, and at one file. So where the two differ, the reason is looked for in the text: another binding
of the same name, what the imported name is in the module that it comes from, code that no run comes to. Each name that
LibCST gives has to be among our origins, and each of our origins has to come from one of LibCST's names, or the
difference has a reason. Status 1 where one has none. Of homeassistant every 20th file is compared, of the others all.
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import libcst
from libcst.metadata import (
    Assignment,
    BuiltinAssignment,
    ImportAssignment,
    MetadataWrapper,
    PositionProvider,
    QualifiedNameProvider,
    QualifiedNameSource,
    Scope,
    ScopeProvider,
)

from abutment.semantics.interpret import interpret
from abutment.semantics.lower import outline
from abutment.semantics.meaning import Meaning
from abutment.semantics.names import Names
from abutment.semantics.outline import Unparsed
from abutment.semantics.program import Module, ModuleKind
from abutment.semantics.provenance import Provenance
from abutment.semantics.uses import Known, Uses, canonical
from abutment.sources.discovery import discover
from abutment.sources.universe import Root, SourceFile
from abutment.sources.work_tree import WorkTree
from benchmarks.catalogue import chosen
from benchmarks.evidence.edges import EVERYTHING, print_sorted, print_table

SAMPLED = {"homeassistant": 20}  # corpus -> every how many files

AGREED = "agreed"
VARIABLE = "no name: LibCST names the variable itself, or a parameter"
ANOTHER = "another: the name has a second binding in its scope, and LibCST does not ask which of them holds"
EXPORTED = "exported: the imported name comes from a third module, and we follow it there"
ASSIGNED = "assigned: the imported name is a variable of its module, and we follow its value"
INHERITED = "inherited: the class has the attribute from one above it"
MEMBER = "member: an attribute of a class or object that an assignment gave it"
DECORATED = "decorated: a decorator stands above the definition, and we say what that gives"
OF_FUNCTION = "of a function: an attribute that somebody gave a function, or that a decorator made of it; not followed"
SPECIAL = "special: by way of `__dict__`, which Python gives everything"
OPEN = "open: the module makes its names by a code-form `__getattr__`, or replaces itself in `sys.modules`"
SET_FROM_OUTSIDE = "set from outside: the file itself gives the imported module that name"
EXTENSION = "extension: a name of an extension module, whose names nobody can read"
UNREACHED = "unreached: after a return or raise, or in the arm that is for type checkers only"
NOT_EVALUATED = "not evaluated: in an annotation of a file with `from __future__ import annotations` (PEP 563)"
STAR = "star: the file or the imported module has a star import that may bind the name"
UNEXPLAINED = "unexplained"
MORE = "unexplained: more than LibCST"

End = tuple[int, int]  # where a call ends: no two of a file end at the same place


@dataclass(frozen=True, slots=True)
class Named:
    """One call whose callee LibCST names."""

    text: str  # the callee as it is written
    names: frozenset[tuple[str, QualifiedNameSource]]
    kinds: frozenset[str]  # what binds its first name: "import", "def", "class", "decorated", "builtin", "other"
    bindings: int  # of its first name, in the scope that owns it
    line: int


@dataclass(slots=True)
class Comparison:
    """How often what is to be said of a call, and where."""

    files: int = 0
    calls: int = 0
    found: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def unexplained(self) -> int:
        return sum(len(places) for reason, places in self.found.items() if reason.startswith(UNEXPLAINED))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence.qualified_names", description=__doc__)
    parser.add_argument("--all", action="store_true", help="show every place, not the first of each reason")
    parser.add_argument("--of", type=int, default=0, help="compare every Nth file only")
    parser.add_argument("corpus", nargs="*")
    options = parser.parse_args(arguments)
    found = {
        corpus.requirement: compare_tree(corpus.folder, corpus.package, options.of or SAMPLED.get(corpus.name, 1))
        for corpus in chosen(options.corpus)
    }
    for requirement, comparison in found.items():
        print_comparison(requirement, comparison, EVERYTHING if options.all else 3)
    print_summary(found)
    return 1 if any(comparison.unexplained for comparison in found.values()) else 0


def compare_tree(folder: Path, package: str, every: int = 1) -> Comparison:
    files, uses = uses_of(folder)
    texts = Texts(folder)
    comparison = Comparison()
    for file in [one for one in files if one.module.split(".")[0] == package and one.suffix == ".py"][::every]:
        compare_file(uses, texts, file, comparison)
    return comparison


def uses_of(folder: Path) -> tuple[Sequence[SourceFile], Uses]:
    """Return the files of a tree, and what they do with the names they know."""
    tree = WorkTree(folder)
    universe = discover(tree, [Root(".")])
    meanings: dict[str, Meaning] = {}
    provenances: dict[str, Provenance] = {}
    modules = {
        one.module: Module(one.module, one.path, ModuleKind(one.kind), one.is_package, "source")
        for one in universe.known
    }
    for file in universe.files:
        kind = ModuleKind.STUB if file.suffix == ".pyi" else ModuleKind.SOURCE
        modules[file.module] = Module(file.module, file.path, kind, file.is_package, "source")
        read = outline(tree.read(file.path), file.module, file.is_package, file.suffix)
        assert not isinstance(read, Unparsed), file.path
        meanings[file.module], does = interpret(read)
        assert does is not None, file.path
        provenances[file.module] = does
    return universe.files, Uses(lambda: Known(Names(modules, meanings), provenances))


def compare_file(uses: Uses, texts: Texts, file: SourceFile, comparison: Comparison) -> None:
    path = file.path
    ours = our_calls(uses, file.module)
    judged = Judge(texts, file.module)
    comparison.files += 1
    for end, call in named_calls(texts.source(path)).items():
        comparison.calls += 1
        reason, what = judged.reason(call, end, ours.get(end))
        comparison.found[reason].append(f"{path}:{call.line}: {call.text}: {what}" if reason != AGREED else "")


def our_calls(uses: Uses, module: str) -> Mapping[End, Set[str]]:
    """Return the origins of what is called, by where the call ends."""
    found: defaultdict[End, set[str]] = defaultdict(set)
    for use in uses.every(module):
        if use.verb == "call":
            found[use.site.end_line, use.site.end_column] |= use.origins
    return found


# ---- what LibCST says


def named_calls(source: bytes) -> Mapping[End, Named]:
    """Return every call of a path, by where it ends."""
    wrapper = MetadataWrapper(libcst.parse_module(source), unsafe_skip_copy=True)
    visitor = _Calls()
    wrapper.visit(visitor)
    return visitor.found


class _Calls(libcst.CSTVisitor):
    METADATA_DEPENDENCIES = (QualifiedNameProvider, PositionProvider, ScopeProvider)

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[End, Named] = {}

    def visit_Call(self, node: libcst.Call) -> None:  # noqa: N802 - LibCST calls it by this name
        text = path_of(node.func)
        scope = self.get_metadata(ScopeProvider, node.func, None)
        if not text or scope is None:
            return
        place = self.get_metadata(PositionProvider, node)
        bound = [*owner_of(scope, text.partition(".")[0])]
        names = self.get_metadata(QualifiedNameProvider, node.func, set())
        self.found[place.end.line, place.end.column + 1] = Named(
            text,
            frozenset((one.name, one.source) for one in names),
            frozenset(map(kind_of, bound)),
            len(bound),
            place.start.line,
        )


def path_of(node: libcst.BaseExpression) -> str:
    """Return a path of names and dots as it is written; "" for anything else."""
    parts: list[str] = []
    while isinstance(node, libcst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    return ".".join((node.value, *reversed(parts))) if isinstance(node, libcst.Name) else ""


def owner_of(scope: Scope, name: str) -> Iterator[object]:
    """Yield what binds a name in the scope that LibCST takes it from."""
    yield from scope[name]


def kind_of(bound: object) -> str:
    if isinstance(bound, ImportAssignment):
        return "import"
    if isinstance(bound, BuiltinAssignment):
        return "builtin"
    if isinstance(bound, Assignment):
        if isinstance(bound.node, libcst.FunctionDef | libcst.ClassDef) and bound.node.decorators:
            return "decorated"
        return {libcst.FunctionDef: "def", libcst.ClassDef: "class"}.get(type(bound.node), "other")
    return "other"


# ---- what the text says


@dataclass(frozen=True)
class Text:
    """One file, read once."""

    source: bytes
    module: str
    is_package: bool

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def bindings(self) -> Mapping[str, Set[str]]:
        """What binds each name of the module: `=` a value, `def` or `class`, else the dotted name that is imported."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for node in own_nodes(self.tree):
            for name, what in self._bound_by(node):
                found[name].add(what)
        for node in ast.walk(self.tree):
            for name in node.names if isinstance(node, ast.Global) else ():
                found[name].add("=")
        return found

    def _bound_by(self, node: ast.AST) -> Iterator[tuple[str, str]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, "class" if isinstance(node, ast.ClassDef) else "def"
            if node.decorator_list:
                yield node.name, "decorated"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, "="
        elif isinstance(node, ast.Import):
            for one in node.names:
                top = one.name.partition(".")[0]
                yield (one.asname, one.name) if one.asname else (top, top)
        elif isinstance(node, ast.ImportFrom):
            base = self.absolute("." * node.level + (node.module or ""))
            for one in node.names:
                yield ("*", base) if one.name == "*" else (one.asname or one.name, f"{base}.{one.name}")

    @cached_property
    def unreached(self) -> Set[End]:
        """Where calls end to which no run comes: after a statement that leaves, or for type checkers only."""
        found: set[End] = set()
        for node in ast.walk(self.tree):
            for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
                if isinstance(block, list):
                    found.update(ends_of(after_leaving(block)))
            if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
                found.update(ends_of(node.orelse if isinstance(node.test, ast.UnaryOp) else node.body))
        return found

    @cached_property
    def attributes_set(self) -> Set[str]:
        """The paths whose last attribute the file sets: `mail.outbox`."""
        nodes = (
            one for one in ast.walk(self.tree) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
        )
        return {ast.unparse(node) for node in nodes}

    @cached_property
    def annotations(self) -> Set[End]:
        """Where calls end that stand in annotations which Python does not evaluate."""
        if not any(isinstance(one, ast.ImportFrom) and one.module == "__future__" for one in self.tree.body):
            return frozenset()
        held = [getattr(node, name, None) for node in ast.walk(self.tree) for name in ("annotation", "returns")]
        return set(ends_of([one for one in held if isinstance(one, ast.expr)]))

    @cached_property
    def is_open(self) -> bool:
        """Whether names of the module may be made by code."""
        return b"def __getattr__" in self.source or b"sys.modules[__name__]" in self.source

    def absolute(self, name: str) -> str:
        """Return a module as a relative import means it."""
        level = len(name) - len(name.lstrip("."))
        if not level:
            return name
        parts = self.module.split(".")
        parts = parts[: len(parts) - level + self.is_package]
        return ".".join([*parts, *([name[level:]] if name[level:] else [])])


def own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands in a scope itself."""
    todo = [*ast.iter_child_nodes(tree)]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))


def after_leaving(block: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    for at, statement in enumerate(block):
        if leaves(statement):
            return block[at + 1 :]
    return ()


def leaves(statement: ast.stmt) -> bool:
    """Say whether nothing that follows in the block is run."""
    if isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return True
    if isinstance(statement, ast.If):
        return bool(statement.orelse) and all(any(map(leaves, arm)) for arm in (statement.body, statement.orelse))
    if isinstance(statement, ast.With | ast.AsyncWith):
        return any(map(leaves, statement.body))
    return False


def ends_of(block: Sequence[ast.AST]) -> Iterator[End]:
    for statement in block:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                yield (node.end_lineno or 0, (node.end_col_offset or 0) + 1)


class Texts:
    """The files of one package, by module."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[str, Text | None] = {}

    def source(self, path: str) -> bytes:
        return (self.folder / path).read_bytes()

    def of(self, module: str) -> Text | None:
        """Return a module's file; None where it is not among the judged ones."""
        if module not in self._known:
            stem = self.folder.joinpath(*module.split("."))
            places = (stem / "__init__.py", stem.with_suffix(".py"), stem.with_suffix(".pyi"))
            paths = [path for path in places if path.is_file()]
            package = bool(paths) and paths[0].name == "__init__.py"
            self._known[module] = Text(paths[0].read_bytes(), module, package) if paths else None
        return self._known[module]

    def is_of_extension(self, name: str) -> bool:
        """Say whether a dotted name is below an extension module without a stub."""
        stem = self.folder.joinpath(*name.split(".")[:-1])
        return any(stem.parent.glob(f"{stem.name}.*.so")) and not stem.with_suffix(".pyi").is_file()

    def chased(self, name: str) -> tuple[Set[str], Set[str]]:
        """Return what a dotted name may stand for once imports are followed, and the kinds of what was met."""
        found, kinds, todo = set[str](), set[str](), [name]
        while todo:
            one = todo.pop()
            if one in found:
                continue
            found.add(one)
            module, rest = self._parted(one)
            text = self.of(module) if module else None
            if text is None or not rest:
                continue
            first, *others = rest.split(".")
            bound = text.bindings.get(first, set())
            kinds.update({"open"} if text.is_open and not bound else ())
            for what in bound | ({f"{star}.{first}" for star in text.bindings.get("*", ())} if not bound else set()):
                if what in ("=", "def", "class", "decorated"):
                    kinds.add(what)
                else:
                    todo.append(".".join((what, *others)))
            if text.bindings.get("*"):
                kinds.add("*")
        return found, kinds

    def _parted(self, name: str) -> tuple[str, str]:
        """Return the longest module that a dotted name begins with, and the rest."""
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            if self.of(".".join(parts[:length])) is not None:
                return ".".join(parts[:length]), ".".join(parts[length:])
        return "", name


# ---- which of the two says what


class Judge:
    """Holds the two against each other in one module."""

    def __init__(self, texts: Texts, module: str) -> None:
        self.texts, self.module = texts, module
        text = texts.of(module)
        assert text is not None
        self.text = text

    def reason(self, call: Named, end: End, ours: Set[str] | None) -> tuple[str, str]:
        """Return whether the two agree, or why not, and both as text."""
        if not call.names or ("other" in call.kinds and call.kinds == {"other"}):
            return VARIABLE, ""
        reasons = [self._reason(call, end, name, source, ours or set()) for name, source in sorted(call.names, key=str)]
        reasons += [self._excess(call, ours or set())]
        worst = max(reasons, key=lambda one: (one.startswith(UNEXPLAINED), one != AGREED))
        return worst, f"LibCST {sorted(name for name, _ in call.names)}, ours {sorted(ours) if ours else 'no use'}"

    def _reason(self, call: Named, end: End, name: str, source: QualifiedNameSource, ours: Set[str]) -> str:
        """Return why a name of LibCST's is, or is not, among our origins."""
        wanted = self._absolute(call, name, source)
        found = {canonical(one) for one in ours}
        if wanted in found:
            return AGREED
        chased, kinds = self.texts.chased(wanted)
        if found & chased:
            return EXPORTED if source is QualifiedNameSource.IMPORT else ANOTHER
        kinds |= {"extension"} if self.texts.is_of_extension(wanted) else set()
        return self._why(call, end, source, found, kinds)

    def _why(self, call: Named, end: End, source: QualifiedNameSource, found: Set[str], kinds: Set[str]) -> str:
        """Return the first reason that the text gives."""
        below = "." in call.text
        is_class = "class" in kinds or (source is QualifiedNameSource.LOCAL and below)
        reasons = (
            (end in self.text.unreached, UNREACHED),
            (end in self.text.annotations, NOT_EVALUATED),
            (call.bindings > 1, ANOTHER),
            ("__dict__" in call.text, SPECIAL),
            ("open" in kinds, OPEN),
            ("=" in kinds, ASSIGNED),
            ("decorated" in call.kinds | kinds and not below, DECORATED),
            (is_class and bool(found - {"?"}), INHERITED),
            (is_class, MEMBER),
            ("def" in kinds and below, OF_FUNCTION),
            (bool(self.text.bindings.get("*")) or "*" in kinds, STAR),
            (any(call.text.startswith(f"{path}.") for path in self.text.attributes_set), SET_FROM_OUTSIDE),
            ("extension" in kinds, EXTENSION),
        )
        return next((reason for holds, reason in reasons if holds), UNEXPLAINED)

    def _excess(self, call: Named, ours: Set[str]) -> str:
        """Return why we have an origin that is none of LibCST's names."""
        chased, kinds = set[str](), set[str]()
        for name, source in call.names:
            one, met = self.texts.chased(self._absolute(call, name, source))
            chased |= one
            kinds |= met
        more = {canonical(one) for one in ours} - {"?", "None"} - chased
        if not more:
            return AGREED
        made = all(".<locals>." in one or "()" in one for one in more)  # a decorator gives what it makes
        reasons = (
            (call.bindings > 1, ANOTHER),
            ("=" in kinds, ASSIGNED),
            ("decorated" in call.kinds | kinds and made, DECORATED),
            ("class" in call.kinds | kinds, INHERITED),
            (bool(self.text.bindings.get("*")) or "*" in kinds, STAR),
        )
        return next((reason for holds, reason in reasons if holds), MORE)

    def _absolute(self, call: Named, name: str, source: QualifiedNameSource) -> str:
        """Return a name of LibCST's as it is seen from outside of the module."""
        if source is QualifiedNameSource.IMPORT:
            return self.text.absolute(name)
        if source is QualifiedNameSource.LOCAL:
            return f"{self.module}.{name}"
        return f"builtins.{call.text}"  # of a builtin's attribute, LibCST names the builtin


# ---- the report


def print_comparison(requirement: str, comparison: Comparison, shown: int) -> None:
    print(f"{requirement}: {comparison.calls} calls of a path in {comparison.files} files")
    for reason, places in sorted(comparison.found.items()):
        if reason in (AGREED, VARIABLE):
            print(f"  {len(places)} {reason}")
        else:
            most = EVERYTHING if reason.startswith(UNEXPLAINED) else shown
            print_sorted(f"{len(places)} {reason}", places, most)


def print_summary(found: Mapping[str, Comparison]) -> None:
    reasons = sorted({reason for comparison in found.values() for reason in comparison.found})
    counts = {name: Counter({reason: len(places) for reason, places in c.found.items()}) for name, c in found.items()}
    print_table(
        ["", *found],
        [
            ["files", *(c.files for c in found.values())],
            ["calls of a path", *(c.calls for c in found.values())],
            *([reason, *(counts[name][reason] for name in found)] for reason in reasons),
        ],
    )


if __name__ == "__main__":
    raise SystemExit(main())

"""Under which dotted name does Python import each file, and which files can it never import?

This follows the import system's own path finder, over all roots in the order in which they are configured:
in one folder a package (a directory with an `__init__`) comes before a module, and a module before a directory
without one; the first root that has either wins, and only where none has are the directories of all roots
joined into one namespace package.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from abutment.sources.universe import CasePair, KnownModule, Role, Root, Shadow, SourceFile
from abutment.sources.walk import Folder, Found, Standing, Walked

STUB = "stub beside source"
_KINDS = {Standing.KEPT: "extension", Standing.EXCLUDED: "excluded", Standing.GENERATED: "generated"}


@dataclass(slots=True)
class Named:
    """Everything that has, or was refused, a module name."""

    files: list[SourceFile] = field(default_factory=list)
    known: list[KnownModule] = field(default_factory=list)
    shadows: list[Shadow] = field(default_factory=list)
    case_pairs: list[CasePair] = field(default_factory=list)
    stubs: list[str] = field(default_factory=list)  # left out beside the source they describe


def name_modules(roots: Sequence[Root], walked: Walked) -> Named:
    """Return the modules that the walked files make."""
    naming = _Naming(roots, walked)
    naming.run()
    return naming.named


class _Candidate(NamedTuple):
    """One file or directory that could be the module of some name. Neither: a root lies further below."""

    root: int
    file: Found | None = None
    folder: Folder | None = None


@dataclass(slots=True)
class _Scope:
    """One package (or the top level), and the directories in which its submodules lie."""

    module: str  # "" for the top level
    folders: list[Folder]


class _Naming:
    def __init__(self, roots: Sequence[Root], walked: Walked) -> None:
        self.named = Named()
        self._roots, self._walked = roots, walked
        self._anchors: dict[str, list[tuple[str, _Candidate]]] = defaultdict(list)

    def run(self) -> None:
        scopes = [_Scope("", self._place_roots())]
        while scopes:
            scope = scopes.pop()
            for name, candidates in sorted(self._candidates(scope).items()):
                module = f"{scope.module}.{name}" if scope.module else name
                scopes.extend(self._settle(module, candidates))
        for anchors in self._anchors.values():  # below something that turned out to be no package
            for _name, candidate in anchors:
                self._unreachable([candidate], "", "")

    def _place_roots(self) -> list[Folder]:
        """Return the folders whose children are top-level modules; hang the other roots below their package."""
        top: list[Folder] = []
        lone = {found.root: found for found in self._walked.lone}
        for index, root in enumerate(self._roots):
            path = "" if root.path == "." else root.path
            folder, file = self._walked.folders.get(path), lone.get(index)
            module = root.package or self._module_of_root(path, file)
            if folder is not None and not module:
                top.append(folder)
            elif folder is not None or file is not None:
                self._anchor(module, _Candidate(index, file, folder))
        return top

    def _module_of_root(self, path: str, file: Found | None) -> str:
        """Return the dotted name that the packages around a root give it; "" where it is no module itself."""
        parts = []
        if file is not None:
            path = posixpath.dirname(path)
            if file.stem != "__init__" or not path:
                parts.append(file.stem)
        elif path not in self._walked.packages:
            return ""
        while path and path in self._walked.packages:
            path, name = posixpath.split(path)
            parts.append(name)
        return ".".join(reversed(parts))

    def _anchor(self, module: str, candidate: _Candidate) -> None:
        own = candidate.file.stem if candidate.file else candidate.folder.name if candidate.folder else ""
        if "." in own and not self._roots[candidate.root].package:
            self._unreachable([candidate], "", "")
            return
        *parents, name = module.split(".")
        for depth, parent in enumerate(parents):
            self._anchors[".".join(parents[:depth])].append((parent, _Candidate(candidate.root)))
        self._anchors[".".join(parents)].append((name, candidate))

    def _candidates(self, scope: _Scope) -> dict[str, list[_Candidate]]:
        """Return by name what could be a submodule; what no dotted name can reach is named by its path instead."""
        found: dict[str, list[_Candidate]] = defaultdict(list)
        for folder in scope.folders:
            below = [self._walked.folders[path] for path in folder.folders]
            self._note_case_pairs(folder, below, scope.module)
            for file in folder.files:
                if file.stem == "__init__" and scope.module:
                    continue  # it is the package itself
                if "." in file.stem or not file.stem:
                    self._unreachable([_Candidate(file.root, file)], "", "")
                else:
                    found[file.stem].append(_Candidate(file.root, file))
            for child in below:
                candidate = _Candidate(child.root, None, child)
                if "." in child.name:
                    self._unreachable([candidate], "", "")
                else:
                    found[child.name].append(candidate)
        for name, candidate in self._anchors.pop(scope.module, ()):
            found[name].append(candidate)
        return found

    def _settle(self, module: str, candidates: list[_Candidate]) -> list[_Scope]:
        """Decide what the name stands for, account for all that lost, and return the package below it, if any."""
        candidates = _without_products(sorted(candidates, key=lambda candidate: candidate.root))
        self._note_compiled(module, candidates)
        winner = min(filter(_is_runtime, candidates), key=_precedence, default=None)
        if winner is None:
            return self._namespace(module, candidates)
        rivals = [candidate for candidate in candidates if candidate is not winner]
        by = self._take_package(module, winner.folder) if winner.folder else self._take_file(module, winner, rivals)
        self._unreachable(rivals, module, by)
        return [_Scope(module, [winner.folder])] if winner.folder else []

    def _take_file(self, module: str, winner: _Candidate, rivals: list[_Candidate]) -> str:
        """Name a module that is no package, taking its stub off the rivals; return the file that Python reads."""
        files = [c.file for c in (winner, *rivals) if c.file is not None and c.root == winner.root]
        speaker = _speaker(files)
        self._emit(module, speaker)
        rivals[:] = [candidate for candidate in rivals if candidate.file is not speaker]
        return files[0].path

    def _take_package(self, module: str, folder: Folder) -> str:
        """Name a package; return the file that Python reads for it."""
        inits = _without_products([_Candidate(f.root, f) for f in folder.files if f.stem == "__init__"])
        self._note_compiled(module, inits)
        files = sorted((c.file for c in inits if c.file is not None), key=_by_loading)
        speaker = _speaker(files)
        self._emit(module, speaker)
        self._leave_stubs(file for file in files if file is not speaker)
        return files[0].path

    def _namespace(self, module: str, candidates: list[_Candidate]) -> list[_Scope]:
        """Name what has no code that runs: stubs, and directories without an `__init__`."""
        folders = [c.folder for c in candidates if c.folder is not None]
        is_open = any(c.file is None for c in candidates)  # a directory, or a root further below
        stubs = [f for folder in folders for f in folder.files if f.stem == "__init__"]
        stubs += [c.file for c in candidates if c.file is not None]
        if stubs:
            self._emit(module, stubs[0])
            self._leave_stubs(stubs[1:])
        elif is_open:
            first = candidates[0]
            path = first.folder.path if first.folder is not None else self._roots[first.root].path
            self.named.known.append(KnownModule(module, path or ".", "namespace", True, self._role(first.root)))
        return [_Scope(module, folders)] if is_open else []

    def _note_compiled(self, module: str, candidates: list[_Candidate]) -> None:
        """Drop an extension module beside its source, and say which of the two Python loads.

        An extension beside a source file of its name is as a rule compiled from it. Python loads the
        extension; the facts are those of the source.
        """
        for candidate in list(candidates):
            if candidate.file is None or candidate.file.suffix != ".so":
                continue
            sources = [c.file for c in candidates if c.root == candidate.root and c.file and c.file.suffix == ".py"]
            if sources:
                candidates.remove(candidate)
                if candidate.file.standing is Standing.KEPT and sources[0].standing is Standing.KEPT:
                    self.named.shadows.append(Shadow(module, sources[0].path, candidate.file.path))

    def _emit(self, module: str, file: Found) -> None:
        # At the top of a folder that is no package, and where no import can reach it, `__init__` is a mere file.
        is_package = file.stem == "__init__" and "/" not in module and module != "__init__"
        role = self._role(file.root)
        if file.standing is Standing.KEPT and file.suffix != ".so":
            self.named.files.append(SourceFile(file.path, module, is_package, file.suffix, role))
        else:
            self.named.known.append(KnownModule(module, file.path, _KINDS[file.standing], is_package, role))

    def _unreachable(self, candidates: Iterable[_Candidate], module: str, by: str) -> None:
        """Account for files that no import can reach: as `module` is the file `by`, or as no dotted name says them."""
        for candidate in candidates:
            if candidate.file is not None:
                self._cut_off([candidate.file], module, by)
            waiting = [(candidate.folder, module)] if candidate.folder is not None else []
            while waiting:
                folder, at = waiting.pop()
                self._cut_off(folder.files, at, by, below=True)
                below = [self._walked.folders[path] for path in folder.folders]
                waiting.extend((child, f"{at}.{child.name}") for child in below)

    def _cut_off(self, files: list[Found], module: str, by: str, *, below: bool = False) -> None:
        kept = [file for file in files if file.standing is Standing.KEPT and file.suffix != ".so"]
        sources = {file.stem for file in kept if file.suffix == ".py"}
        for file in kept:
            if file.suffix == ".pyi" and (by or file.stem in sources):
                self._leave_stubs([file])
                continue
            self._emit(file.path if "/" in file.path else f"./{file.path}", file)
            if by:
                name = module if not below or file.stem == "__init__" else f"{module}.{file.stem}"
                self.named.shadows.append(Shadow(name, file.path, by))

    def _leave_stubs(self, files: Iterable[Found]) -> None:
        # Those that are excluded or generated were accounted for by the walk.
        self.named.stubs.extend(f.path for f in files if f.suffix == ".pyi" and f.standing is Standing.KEPT)

    def _note_case_pairs(self, folder: Folder, below: list[Folder], package: str) -> None:
        names = [(f.path, f.stem) for f in folder.files if f.standing is Standing.KEPT and f.suffix != ".so"]
        names += [(child.path, child.name) for child in below]
        first: dict[str, str] = {}
        for path, name in sorted(names):
            other = first.setdefault(path.casefold(), path)
            if other != path:
                module = package if name == "__init__" else f"{package}.{name}" if package else name
                self.named.case_pairs.append(CasePair(module, path, other))

    def _role(self, root: int) -> Role:
        return self._roots[root].role


def _is_runtime(candidate: _Candidate) -> bool:
    """Say whether Python would load code for it (a stub is none, and a bare directory has none)."""
    if candidate.file is not None:
        return candidate.file.suffix != ".pyi"
    return candidate.folder is not None and _is_package(candidate.folder)


def _is_package(folder: Folder) -> bool:
    return any(file.stem == "__init__" and file.suffix != ".pyi" for file in folder.files)


def _precedence(candidate: _Candidate) -> tuple[int, int]:
    """Order as the path finder does: by root, then packages, extensions, sources."""
    if candidate.file is None:
        return candidate.root, -1
    return candidate.root, _by_loading(candidate.file)


def _speaker(files: Sequence[Found]) -> Found:
    """Return the file whose text tells about a module that Python loads from the first: a stub, for an extension."""
    stubs = (file for file in files if file.suffix == ".pyi" and file.standing is Standing.KEPT)
    return next(stubs, files[0]) if files[0].suffix == ".so" else files[0]


def _by_loading(file: Found) -> int:
    return (".so", ".py", ".pyi").index(file.suffix)


def _without_products(candidates: list[_Candidate]) -> list[_Candidate]:
    """Drop what was generated where something that was written has the name as well.

    What was generated is there on one machine and not on the next; it must not decide what a written file is.
    """
    written = any(_standing(candidate) is Standing.KEPT for candidate in candidates)
    return [c for c in candidates if not (written and _standing(c) is Standing.GENERATED)]


def _standing(candidate: _Candidate) -> Standing | None:
    if candidate.file is not None:
        return candidate.file.standing
    return candidate.folder.best if candidate.folder is not None else None

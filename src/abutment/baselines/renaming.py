"""What is a key called once something of the code has another name?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from abutment.baselines.code_names import CodeNames
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.selector import within


@dataclass(frozen=True, slots=True)
class Renaming:
    """One dotted name that has become another, with everything below it."""

    old: str
    new: str
    home: str = ""  # of a function or class: the module in which it stands now

    def of(self, name: str) -> str:
        """Return the name as it is after the move. What is below the new name already stays (`a.b` -> `a.b.core`)."""
        if not within(name, self.old) or (within(self.new, self.old) and within(name, self.new)):
            return name
        return self.new + name[len(self.old) :]

    def of_scope(self, module: str, qualname: str) -> tuple[str, str]:
        """Return module and qualname of a place in the code as they are after the move."""
        if not self.home:
            return self.of(module), qualname
        before = f"{module}.{qualname}"
        after = self.of(before)
        return (module, qualname) if after == before else (self.home, after[len(self.home) + 1 :])


@dataclass(frozen=True, slots=True)
class NameFields:
    """At which positions of a gate's keys names of the code stand."""

    modules: frozenset[int]
    names: frozenset[int]  # of modules, functions or classes, as one dotted name
    scope: tuple[int, int] | None  # a module, and the qualname in it

    @staticmethod
    def of(fields: tuple[str, ...], modules: Collection[str], names: Collection[str]) -> NameFields:
        """Return the positions; a field `qualname` tells the scope in the one that is called `module`."""
        scoped = "module" in modules and "module" in fields and "qualname" in fields
        return NameFields(
            modules=frozenset(at for at, name in enumerate(fields) if name in modules),
            names=frozenset(at for at, name in enumerate(fields) if name in names),
            scope=(fields.index("module"), fields.index("qualname")) if scoped else None,
        )

    def renamed(self, key: Key, renaming: Renaming) -> Key:
        """Return the key as it is after the move."""
        places = self.names if renaming.home else self.names | self.modules
        after = [renaming.of(part) if at in places else part for at, part in enumerate(key)]
        if self.scope is not None:
            module, qualname = self.scope
            after[module], after[qualname] = renaming.of_scope(key[module], key[qualname])
        return tuple(after)

    def dotted(self, key: Key) -> Iterator[str]:
        """Yield every name of the code that the key holds."""
        yield from (key[at] for at in self.modules | self.names)
        if self.scope is not None:
            yield ".".join(key[at] for at in self.scope)


def read_renaming(old: str, new: str, code: CodeNames) -> tuple[Renaming, tuple[Fault, ...]]:
    """Return what `move OLD NEW` declares, and why the code does not look as if that had happened."""
    malformed = tuple(
        Fault("", 0, f"{name!r} is no dotted name.") for name in (old, new) if not all(name.split("."))
    ) or (() if old != new else (Fault("", 0, f"{old} and {new} are one name."),))
    if malformed:
        return Renaming(old, new), malformed
    if code.holds_modules_in(new):
        return Renaming(old, new), tuple(_module_stays(old, new, code))
    home = code.home(new)
    if not home:
        lacking = f"there is no module {new}, and no function or class of that name."
        return Renaming(old, new), (Fault("", 0, lacking, "Move the code first, then declare the move."),)
    return Renaming(old, new, home), tuple(_definition_stays(old, new, code))


def _module_stays(old: str, new: str, code: CodeNames) -> Iterator[Fault]:
    if within(new, old):
        return  # a file became a package of its name, which stays; its keys are compared one by one
    left = min((module for module in code.modules if within(module, old)), default=None)
    if left is not None:
        yield Fault("", 0, f"{left} is still there, so {old} has not become {new}.", "Move what is left, or its parts.")


def _definition_stays(old: str, new: str, code: CodeNames) -> Iterator[Fault]:
    if code.holds_modules_in(old):
        yield Fault("", 0, f"{old} is a module, which has not become the function or class {new}.")
    elif code.home(old):
        yield Fault("", 0, f"{old} is still there, so it has not become {new}.", "Move what is left, or its parts.")

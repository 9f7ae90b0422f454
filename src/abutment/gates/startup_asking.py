"""What do all the processes say that a configuration asks for, and which of them say nothing?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import permutations
from statistics import median

from abutment.errors import NotJudged
from abutment.facts.startup import (
    MODULE,
    ORDER,
    PACKAGE,
    TIME,
    Place,
    StartupFact,
    is_first_party,
    scan_alive,
    scan_components,
    scan_loaded,
    strangers,
)
from abutment.gates.scope import selects, unmatched
from abutment.gates.startup_settings import Mode, Named, Settings
from abutment.model.fault import Fault
from abutment.sources.file_names import path_named, text_of_path
from abutment.sources.tools.place import python_of
from abutment.sources.tools.startup import Answer, Interpreter, Raised

OLDEST = (3, 8)  # for which the questions are written
_BY_HAND = "Do the same by hand; what it needs to be there can be said in `environment` and `path`."


@dataclass(slots=True)
class Heard:
    """What was found out, and why something was not."""

    facts: list[StartupFact] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)  # modules and packages that were loaded, held or not
    answers: dict[str, Answer] = field(default_factory=dict)  # of the modules
    python: str = ""


def hear(settings: Settings, place: Place) -> Heard:
    """Return what every target says; a target that cannot be asked is a fault, and the others are asked all the same.

    Raises NotJudged where the interpreter itself says nothing.
    """
    return _Asking(settings, place).heard()


class _Asking:
    """One round of questions."""

    def __init__(self, settings: Settings, place: Place) -> None:
        self._settings, self._place, self._found = settings, place, Heard()
        self._interpreter = interpreter_of(settings, place)

    def heard(self) -> Heard:
        """Ask everything."""
        settings, found = self._settings, self._found
        self._ask_interpreter()
        if not any(settings.targets()):
            remedy = "Name `modules`, `constructors`, `orders` or `modes`."
            found.faults.append(Fault("", 0, "startup has nothing to start.", remedy))
        for module in self._known(settings.modules):
            self._guarded(module, partial(self._load, module))
        for constructor in self._known(settings.constructors):
            self._guarded(constructor, partial(self._call, constructor))
        for order in self._known(settings.orders):
            self._guarded(order, partial(self._try_orders, order))
        for mode in settings.modes:
            self._guarded(mode.target, partial(self._live, mode))
        found.faults.extend(unmatched(settings.exclude, {*self._place.program.modules, *found.seen}))
        if settings.samples and not found.faults:
            self._take_times()
        return found

    def _ask_interpreter(self) -> None:
        answer = self._interpreter.ask("bare")
        name, _, version = answer.python.partition(" ")
        if tuple(map(int, version.split("."))) < OLDEST:
            remedy = "Name a newer one by `command`."
            raise NotJudged(Fault("", 0, f"{answer.python} is too old to be asked: 3.8 is the oldest.", remedy))
        together = self._settings.pythons
        self._found.python = f"{name} {', '.join(together if version in together else [version])}"
        for kind in answer.unseen:
            self._found.notes.append(f"what is alive of the kind {kind} cannot be seen on this system.")

    def _known(self, targets: tuple[Named, ...]) -> Iterator[Named]:
        """Yield the targets of which all modules are there."""
        for one in targets:
            lost = [name for name in one.modules if name not in self._place.program.modules]
            if lost:
                self._fault(one, f"there is no module {lost[0]} here.", "Correct or delete it.")
            else:
                yield one

    def _guarded(self, target: Named, ask: partial[None]) -> None:
        try:
            ask()
        except NotJudged as refusal:
            for fault in refusal.faults:
                self._fault(target, fault.message, fault.remedy)

    def _fault(self, target: Named, message: str, remedy: str = _BY_HAND) -> None:
        text = f"{target.key}: {target.name}: {message}"
        self._found.faults.append(Fault(target.site.path, target.site.line, text, remedy))

    def _refuse_raised(self, target: Named, raised: Raised | None, doing: str) -> bool:
        if raised is not None:
            self._fault(target, f"{doing} ends with {self._words(raised)}.")
        return raised is not None

    def _words(self, raised: Raised) -> str:
        """Return how an exception reads; its text may name files, and they are the project's on every machine."""
        return raised.words.replace(f"{self._place.folder}{os.sep}", "")

    # ---- modules

    def _load(self, target: Named) -> None:
        answer = self._interpreter.ask("load", modules=target.name)
        if self._refuse_raised(target, answer.raised, "its import") or not self._is_ours(target, answer):
            return
        self._found.answers[target.name] = answer
        loaded = list(scan_loaded(self._place, target.name, answer))
        self._found.seen.update(one.name for one in loaded)
        self._found.facts.extend(filter(self._is_held, loaded))
        self._found.facts.extend(scan_alive(self._place, target.name, answer.alive, target.name))

    def _is_ours(self, target: Named, answer: Answer) -> bool:
        """Say whether what was imported is the judged code, all of it, and was not imported before."""
        early = sorted(name for name in answer.known if is_first_party(self._place.program, name))
        if early:
            remedy = "See what the interpreter imports by itself (`sitecustomize`, `.pth` files)."
            self._fault(target, f"{early[0]} was imported before anything was asked for.", remedy)
        other = dict(strangers(self._place, answer))
        for name, file in list(other.items())[:1]:
            remedy = "Let the roots stand in front by `path`, or install the project so that it can be edited."
            self._fault(target, f"{name} was loaded from {file}, which is not the file that is judged.", remedy)
        return not early and not other

    def _is_held(self, fact: StartupFact) -> bool:
        asked = {MODULE: self._settings.first_party, PACKAGE: self._settings.third_party}
        return asked[fact.kind] and not selects(self._settings.exclude, fact.name)

    # ---- what is called

    def _call(self, target: Named) -> None:
        answer = self._interpreter.ask("call", call=target.name)
        if not self._refuse_raised(target, answer.raised, "its call"):
            self._found.facts.extend(scan_alive(self._place, target.name, answer.alive, target.name))

    # ---- orders

    def _try_orders(self, target: Named) -> None:
        orders = orders_of(target.modules)
        answers = {order: self._interpreter.ask("order", modules=",".join(order)) for order in orders}
        works = any(answer.raised is None for answer in answers.values())
        for order, answer in answers.items():
            self._hear_order(target, order, answer, works)
        every = len(list(permutations(target.modules))) if len(target.modules) < 9 else 0
        if every != len(orders):
            self._found.notes.append(f"{target.key}: {len(orders)} orders of {len(target.modules)} modules were tried.")

    def _hear_order(self, target: Named, order: tuple[str, ...], answer: Answer, works: bool) -> None:
        raised = answer.raised
        if raised is None:
            return
        outside = raised.lost and not is_first_party(self._place.program, raised.lost)
        if outside or not (raised.circular or works):
            self._fault(target, f"importing {answer.failed or order[0]} ends with {self._words(raised)}.")
            return
        site = self._place.site_of(answer.failed)
        self._found.facts.append(StartupFact(", ".join(order), ORDER, answer.failed, site, self._words(raised)))

    # ---- modes

    def _live(self, mode: Mode) -> None:
        lost = [place for place in mode.places if place.partition(":")[0] not in self._place.program.modules]
        if lost:
            self._fault(mode.target, f"there is no module {lost[0].partition(':')[0]} here.", "Correct or delete it.")
            return
        answer = self._ask_life(mode, fail="")
        if not self._refuse_raised(mode.target, answer.raised, "its start or stop"):
            self._hear_components(mode, answer)
            self._found.facts.extend(scan_alive(self._place, mode.target.name, answer.alive, mode.start))
        if mode.fail:
            self._fail(mode)

    def _ask_life(self, mode: Mode, fail: str) -> Answer:
        return self._interpreter.ask("life", start=mode.start, stop=mode.stop, started=mode.started, fail=fail)

    def _hear_components(self, mode: Mode, answer: Answer) -> None:
        if mode.manifest is None:
            return
        if answer.components is None:
            remedy = "Let `start` give a list of their names, or name one by `started`."
            self._fault(mode.target, "nothing tells which components were started.", remedy)
            return
        site = self._place.site_of(mode.start)
        found = scan_components(mode.target.name, mode.manifest, answer.components, site)
        self._found.facts.extend(found)

    def _fail(self, mode: Mode) -> None:
        answer = self._ask_life(mode, fail=mode.fail)
        if self._refuse_raised(mode.target, answer.raised, f"its start with a failing {mode.fail}"):
            return
        if not answer.reached:
            remedy = "Name it as it is looked up when it is called: `module:name` of the module that calls it."
            self._fault(mode.target, f"{mode.fail} was never called, so that it could not fail.", remedy)
            return
        self._found.facts.extend(scan_alive(self._place, failing(mode.target.name), answer.alive, mode.start))

    # ---- times

    def _take_times(self) -> None:
        with self._interpreter.with_caches() as interpreter:
            for target in self._settings.modules:
                ratio, told = self._ratio(interpreter, target.name, self._settings.samples)
                budget = self._settings.budget
                if is_over(ratio, budget):  # once more: a machine may have been busy
                    ratio, told = self._ratio(interpreter, target.name, 2 * self._settings.samples)
                if is_over(ratio, budget):
                    site = self._place.site_of(target.name)
                    self._found.facts.append(StartupFact(target.name, TIME, "over budget", site, told))
                if self._settings.repeat:
                    self._found.notes.append(f"importing {target.name} takes {told}.")

    def _ratio(self, interpreter: Interpreter, module: str, samples: int) -> tuple[float, str]:
        bare, whole = list[float](), list[float]()
        for _ in range(samples + 1):
            bare.append(interpreter.ask("only", modules="").seconds)
            whole.append(interpreter.ask("only", modules=module).seconds)
        ours, empty = median(whole[1:]), median(bare[1:])  # the first one compiles
        ratio = ours / empty
        medians = f"medians of {samples}: {ours * 1000:.0f} ms and {empty * 1000:.0f} ms"
        return ratio, f"{ratio:.2f} times as long as a bare interpreter ({medians})"


def failing(mode: str) -> str:
    """Return the target that a mode is whose start fails."""
    return f"{mode} (failing)"


def orders_of(modules: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return every order of a few modules; of many those in which each is first and last, forwards and backwards."""
    if len(modules) <= 4:
        return tuple(permutations(modules))
    turned = [modules[at:] + modules[:at] for at in range(len(modules))]
    return tuple(dict.fromkeys(order for each in turned for order in (each, each[::-1])))


def interpreter_of(settings: Settings, place: Place) -> Interpreter:
    """Return the interpreter in which the judged code runs, with what stands in front of its path."""
    given = [text_of_path(place.folder / path_named(entry)) for entry in settings.path]
    roots = [text_of_path(place.folder / path_named(base)) for base in sorted(bases(place, settings))]
    return Interpreter(
        command=settings.command or (python_of(place.folder),),
        folder=place.folder,
        path=(*given, *roots),
        environment=dict(settings.environment),
        seconds=settings.seconds,
    )


def is_over(ratio: float, budget: float | None) -> bool:
    """Say whether a time is over its budget; one that is equal to it keeps it."""
    return budget is not None and ratio > budget


def bases(place: Place, settings: Settings) -> frozenset[str]:
    """Return the folders below the root from which the judged modules can be imported: `src` for `src/app/a.py`."""
    named = {name for target in settings.targets() for name in target.modules}
    found: set[str] = set()
    for module in place.program.modules.values():
        if module.role != "source" and module.name not in named:
            continue
        whole = module.path.removesuffix(".py").removesuffix("/__init__")
        tail = module.name.replace(".", "/")
        if whole == tail or whole.endswith(f"/{tail}"):
            found.add(whole[: -len(tail)].rstrip("/") or ".")
    return frozenset(found)

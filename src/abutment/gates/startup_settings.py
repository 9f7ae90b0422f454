"""What is started, what of it is held, and in which surroundings does it run?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from abutment.gates.scope import Exclude, read_exclude
from abutment.model.loosening import EXCLUDE, AtMost, Changes, Free, Loosening, Requires, Tables, switch
from abutment.model.reading import TableReader
from abutment.model.site import Site

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_MODULE = re.compile(_DOTTED)
_PLACE = re.compile(f"{_DOTTED}:{_DOTTED}")
_VARIABLE = re.compile(r"[^=\0\n]+")
_VERSION = re.compile(r"\d+\.\d+")
SECONDS = 60
SAMPLES = 5  # where a budget is asked and nobody says how many


@dataclass(frozen=True, slots=True)
class Named:
    """Something that is started, and where it is written."""

    name: str  # "app.main", "app.main:create", "app.a, app.b"
    site: Site
    key: str  # "startup.modules[0]"

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that have to be there."""
        return tuple(part.partition(":")[0] for part in self.name.split(", "))


@dataclass(frozen=True, slots=True)
class Mode:
    """One way in which the whole is started and stopped."""

    target: Named  # its name is the mode's
    start: str
    stop: str  # "" where what `start` gives is entered and left
    started: str  # what tells the components; "" where `start` gives them
    manifest: tuple[str, ...] | None
    fail: str  # the step that fails in a second run; "" for none

    @property
    def places(self) -> tuple[str, ...]:
        """Everything that the mode names of the code."""
        return tuple(filter(None, (self.start, self.stop, self.started, self.fail)))


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.startup]` says."""

    modules: tuple[Named, ...] = ()
    constructors: tuple[Named, ...] = ()
    orders: tuple[Named, ...] = ()
    modes: tuple[Mode, ...] = ()
    first_party: bool = True
    third_party: bool = False
    exclude: Exclude = ()
    path: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    pythons: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    seconds: int = SECONDS
    budget: float | None = None
    repeat: int = 0

    @property
    def samples(self) -> int:
        """How often each time is taken; 0 where nobody asks."""
        return self.repeat or (SAMPLES if self.budget is not None else 0)

    def targets(self) -> Iterator[Named]:
        """Yield everything that is started."""
        yield from (*self.modules, *self.constructors, *self.orders, *(mode.target for mode in self.modes))


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(
        modules=_read_list(reader, "modules", _MODULE, "a dotted module, such as app.main"),
        constructors=_read_list(reader, "constructors", _PLACE, "module:callable, such as app.main:create"),
        orders=tuple(_read_orders(reader)),
        modes=tuple(map(_read_mode, reader.tables("modes"))),
        first_party=reader.boolean("first_party", True),
        third_party=reader.boolean("third_party", False),
        exclude=read_exclude(reader),
        path=_read_checked(reader, "path", re.compile(r"[^\n\0]+"), "a path"),
        environment=tuple(_read_environment(reader.table("environment"))),
        pythons=_read_checked(reader, "pythons", _VERSION, "a version such as 3.12"),
        command=reader.texts("command", ()),
        seconds=reader.integer("seconds", SECONDS, least=1),
        budget=reader.number("budget"),
        repeat=reader.integer("repeat", 0),
    )
    _refuse_twice(reader, settings)
    reader.close()
    return settings


def _read_checked(reader: TableReader, key: str, shape: re.Pattern[str], what: str) -> tuple[str, ...]:
    found = reader.texts(key, ())
    for index, text in enumerate(found):
        if not shape.fullmatch(text):
            reader.fault((key, index), f"expected {what}, found {text!r}")
    return found


def _read_list(reader: TableReader, key: str, shape: re.Pattern[str], what: str) -> tuple[Named, ...]:
    texts = _read_checked(reader, key, shape, what)
    return tuple(_placed(reader, text, key, index) for index, text in enumerate(texts))


def _placed(reader: TableReader, name: str, *below: str | int) -> Named:
    return Named(name, Site(reader.document, reader.line(*below)), reader.name(*below))


def _read_orders(reader: TableReader) -> Iterator[Named]:
    for index, value in enumerate(reader.values("orders", ())):
        names = value if isinstance(value, list) else []
        if len(names) > 1 and all(isinstance(one, str) and _MODULE.fullmatch(one) for one in names):
            yield _placed(reader, ", ".join(names), "orders", index)
        else:
            reader.fault(("orders", index), "expected a list of two modules or more")


def _read_mode(reader: TableReader) -> Mode:
    name, start = reader.text("name"), _read_place(reader, "start")
    mode = Mode(
        target=_placed(reader, name, "name"),
        start=start or "",
        stop=_read_place(reader, "stop", optional=True),
        started=_read_place(reader, "started", optional=True),
        manifest=reader.texts("manifest") if "manifest" in reader else None,
        fail=_read_place(reader, "fail", optional=True),
    )
    if mode.started and mode.manifest is None:
        reader.fault(("started",), "tells components, and there is no `manifest` to hold them against")
    reader.ignore("manifest")
    reader.close()
    return mode


def _read_place(reader: TableReader, key: str, *, optional: bool = False) -> str:
    text = reader.text(key, "") if optional else reader.text(key)
    if text and not _PLACE.fullmatch(text):
        reader.fault((key,), f"expected module:callable, such as app.main:start, found {text!r}")
    return text


def _read_environment(reader: TableReader) -> Iterator[tuple[str, str]]:
    for name in reader.keys:
        value = reader.text(name, blank=True)
        if not _VARIABLE.fullmatch(name) or "\0" in value:
            reader.fault((name,), "is nothing that an environment can hold")
        yield name, value


def _refuse_twice(reader: TableReader, settings: Settings) -> None:
    """Note a fault for each name of a target that another one has: documents could not tell them apart."""
    taken: set[str] = set()
    for one in settings.targets():
        if one.name in taken:
            key = one.key.removeprefix(f"{reader.name()}.") if reader.name() else one.key
            reader.fault((key,), f"{one.name!r} is there twice")
        taken.add(one.name)


LOOSENING = Loosening(
    {
        "modules": Requires(),
        "constructors": Requires(),
        "orders": Requires(),
        "modes": Tables(
            Loosening(
                {"start": Changes(), "stop": Changes(), "started": Changes(), "manifest": Changes(), "fail": Changes()}
            ),
            by="name",
            identity="target",
        ),
        "first_party": switch(True),
        "third_party": switch(False),
        "exclude": EXCLUDE,
        # Another value of these is told by the conditions of the record.
        "path": Free(),
        "environment": Free(),
        "pythons": Free(),
        "command": Changes(),  # what it runs may answer what it likes
        "seconds": Free(),
        "budget": AtMost(),
        "repeat": Free(),
    }
)

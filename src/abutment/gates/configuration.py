"""Who takes configuration from global objects instead of being handed it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter

from abutment.facts.configuration import ACCESS, CONSTRUCTION, IMPORT, ConfigurationUse, scan_configuration
from abutment.facts.named import settled
from abutment.gates.gate import Rule, place_words
from abutment.gates.named import Named, missing, names_of, read_named
from abutment.gates.scope import Exclude, read_exclude
from abutment.gates.unseen import unseen
from abutment.gates.use_gate import Extra, Saying, use_gate
from abutment.model.fault import Fault
from abutment.model.identity import Key
from abutment.model.loosening import EXCLUDE, Loosening, Requires
from abutment.model.reading import TableReader
from abutment.semantics.program import Program

FIELDS = ("module", "qualname", "target", "kind")
_IMPORTED = Rule("ABT661", "settings-import", "A settings object is imported.")
_ACCESSED = Rule("ABT662", "settings-access", "A settings object is used, without an import by name.")
_MADE = Rule("ABT663", "settings-construction", "An object that holds configuration is constructed.")
_SAID = {IMPORT: (_IMPORTED, "imports"), ACCESS: (_ACCESSED, "uses"), CONSTRUCTION: (_MADE, "constructs")}


@dataclass(frozen=True, slots=True)
class Settings:
    """What `[tool.abutment.configuration]` says."""

    objects: tuple[Named, ...]
    classes: tuple[Named, ...]
    exclude: Exclude = ()


def read_settings(reader: TableReader) -> Settings:
    """Read the gate's own table."""
    settings = Settings(read_named(reader, "objects"), read_named(reader, "classes"), read_exclude(reader))
    reader.close()
    return settings


def scan(program: Program, settings: Settings) -> Iterator[ConfigurationUse]:
    """Yield every place."""
    objects, classes = (frozenset(settled(program, names_of(named))) for named in (settings.objects, settings.classes))
    return scan_configuration(program, objects, classes)


def say(key: Key, _settings: Settings) -> Saying:
    """Return how one place reads."""
    module, qualname, target, kind = map(str, key)
    where = place_words(module, qualname)
    rule, verb = _SAID.get(kind, _SAID[IMPORT])
    return Saying(rule, f"{where} {verb} {target}")


def beside(program: Program, settings: Settings, facts: Iterable[ConfigurationUse]) -> Extra:
    """Return the totals, and the names that mean nothing."""
    kinds = Counter(one.kind for one in facts)
    told = ", ".join(f"{kinds[kind]} {kind}" for kind in _SAID if kinds[kind])
    notes = (f"configuration taken: {told}.",) if told else ()
    named = (*settings.objects, *settings.classes)
    faults = list(missing(program, named))
    if not named:
        faults.append(Fault("", 0, "configuration names nothing.", "Write `objects` or `classes`."))
    return Extra(notes=(*notes, *unseen(program, named)), faults=tuple(faults))


GATE = use_gate(
    name="configuration",
    question="Who takes configuration from global objects instead of being handed it?",
    fields=FIELDS,
    rules=(_IMPORTED, _ACCESSED, _MADE),
    scan=scan,
    say=say,
    remedy="Take the value as an argument, or have the place approved in {policy}.",
    read_settings=read_settings,
    word=attrgetter("kind"),
    what=attrgetter("target"),
    beside=beside,
    loosening=Loosening({"objects": Requires(), "classes": Requires(), "exclude": EXCLUDE}),
)

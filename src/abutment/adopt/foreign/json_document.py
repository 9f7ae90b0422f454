"""How is another tool's JSON document read, so that nothing of it is dropped without a word?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from abutment.adopt.foreign.item import Left, Source
from abutment.baselines.document_bytes import plain
from abutment.errors import NotJudged
from abutment.model.exact_json import exact_json
from abutment.model.fault import Fault
from abutment.model.reading import Faults, TableReader


class JsonDocument:
    """One document; what has not the shape that its reader asks for is a fault, and then nothing is carried over."""

    def __init__(self, source: Source) -> None:
        self.source, self.faults = source, Faults()
        try:
            value = exact_json(plain(source.data).decode("utf-8"))
        except ValueError as error:
            raise NotJudged(Fault(source.path, 0, f"the document {error}.")) from error
        self.value = value
        self.table = TableReader(source.path, value, self.faults, lambda _at: 0)

    def place(self, table: TableReader, *below: str | int) -> str:
        """Return where something stands."""
        return f"{self.source.path}: {table.name(*below) or 'the document'}"

    def others(self, table: TableReader, *known: str) -> Iterator[Left]:
        """Yield what a table holds besides what its reader knows."""
        for key in table.keys:
            if key not in known:
                yield Left(self.place(table, key), "nobody here knows what it says.")

    def module(self, table: TableReader, key: str) -> str:
        """Return the module of the file that a table names; "" where it is none of this codebase."""
        return self.source.modules.get(table.text(key), "")

    def no_module(self, table: TableReader, key: str) -> Left:
        """Return that a file is no module of this codebase."""
        return Left(self.place(table, key), f"{table.text(key)} is no module of this codebase.")

    def counted(self, table: TableReader, key: str, members: str) -> tuple[TableReader, ...]:
        """Return the members of a section, of which it says how many there are."""
        section = table.table(key)
        them = section.tables(members)
        if section.integer("count") != len(them):
            section.fault(("count",), f"there are {len(them)} in {members}.")
        return them

    def numbers(self, value: object, at: str) -> Mapping[str, int]:
        """Return a table of whole numbers."""
        if isinstance(value, dict) and all(type(number) is int for number in value.values()):
            return value
        self.faults.add(self.source.path, 0, f"{at}: expected whole numbers by name.")
        return {}

    def finished(self) -> None:
        """Raise NotJudged with every fault of the document."""
        self.faults.raise_if_any()

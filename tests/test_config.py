"""The configuration is read exactly, with every fault in one go; the published schema says the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import jsonschema
import pytest

from abutment.config import Config, close_config, read_config
from abutment.errors import NotJudged
from abutment.gates import TABLE, load_gates
from abutment.model.fault import Fault
from abutment.model.reading import Faults, TableReader
from abutment.policies.contracts.kinds import KINDS
from abutment.policies.contracts.reading import read_contract
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.settings import settings_from
from abutment.sources.universe import Role, Root

SCHEMA = json.loads((Path(__file__).parents[1] / "docs/configuration.schema.json").read_text(encoding="utf-8"))
TREE = MemoryTree(
    {
        "src/a/__init__.py": "",
        "src/a/tests/t.py": "",
        "lib/b.py": "",
        "tool.py": "",
        "notes.txt": "",
        "stubs/c.pyi": "",
    },
    links={"out": "../elsewhere", "nowhere": "gone", "src/link": "../lib"},
)


def read(text: str) -> Config:
    return read_config(settings_from("abutment.toml", text.encode(), "/p"), TREE)


def complaints(text: str) -> list[str]:
    """Read everything that there is to read, as a run does."""
    config = read(text)
    for gate in load_gates(TABLE):
        gate.read_settings(config.table if gate.reads_root_table else config.table.table(gate.name))
    close_config(config, TABLE)
    return [fault.line_text() for fault in sorted(set(config.faults.found))]


def test_everything_has_its_value_and_its_origin() -> None:
    config = read(
        'roots = ["src", { path = "src/a/tests/", role = "tests", package = "a.t" }, "./tool.py", "."]\n'
        'exclude = ["*_pb2.py", "!kept_pb2.py"]\n'
        'gates = ["cycles", "blindspots"]\n'
        'documents = "law/"\n'
    )
    assert config.roots == (Root("src"), Root("src/a/tests", Role.TESTS, "a.t"), Root("tool.py"), Root("."))
    assert config.exclude == ("*_pb2.py", "!kept_pb2.py")
    assert config.gates == ("cycles", "blindspots")
    assert config.documents == "law"
    assert (config.file, config.root) == ("abutment.toml", "/p")
    assert dict(config.origins) == {
        "roots": "abutment.toml:1",
        "exclude": "abutment.toml:2",
        "documents": "abutment.toml:4",
        "gates": "abutment.toml:3",
    }
    config.faults.raise_if_any()


def test_what_is_not_said_has_a_default() -> None:
    config = read('roots = ["src"]')
    assert (config.exclude, config.gates, config.documents) == ((), (), "fixtures/architecture")
    assert dict(config.origins) == {
        "roots": "abutment.toml:1",
        "exclude": "default",
        "documents": "default",
        "gates": "default",
    }


def test_without_a_tree_the_roots_are_looked_for_on_the_disk(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    raw = settings_from("abutment.toml", b'roots = ["src", "lib"]', str(tmp_path))
    config = read_config(raw)
    assert [fault.message for fault in config.faults.found] == ["roots[1]: 'lib': there is no such folder or file"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gates = []", "roots is missing: expected a list of folders, packages or files. `abutment init` proposes"),
        ("roots = []", "1: roots: expected at least 1 entries, found 0"),
        ('roots = "src"', "1: roots: expected a list, found 'src'"),
        ('roots = [\n"src",\n7]', "3: roots[1]: expected a path or a table with one, found 7"),
        ('roots = [" "]', "1: roots[0]: expected a path or a table with one, found ' '"),
        ('roots = ["src", "src/"]', "1: roots[1]: 'src' is listed already, on line 1"),
        ('roots = ["src", "./lib/../src"]', "1: roots[1]: 'src' is listed already, on line 1"),
        ('roots = ["../x"]', "1: roots[0]: '../x' lies outside of the project. Write it relative"),
        ('roots = [".."]', "lies outside of the project"),
        ('roots = ["/src"]', "lies outside of the project"),
        ('roots = ["src\\\\a"]', "folders are separated by /"),
        ('roots = ["C:/src"]', "folders are separated by /"),
        ('roots = ["gone"]', "1: roots[0]: 'gone': there is no such folder or file. Correct the path"),
        ('roots = ["tool.py/x"]', "there is no such folder or file"),
        ('roots = ["notes.txt"]', "neither a folder nor a Python file"),
        ('roots = ["out"]', "the link leads out of the project"),
        ('roots = ["out/x"]', "the link leads out of the project"),
        ('roots = ["nowhere"]', "the link leads nowhere"),
        ("roots = [{}]", "1: roots[0]: path is missing: expected text"),
        ('roots = [{ path = "" }]', "roots[0].path: must not be empty"),
        ('roots = [{ path = "../x" }]', "1: roots[0].path: '../x' lies outside"),
        ('roots = [{ path = "src", role = "test" }]', "roots[0].role: expected one of source, tests, found 'test'"),
        ('roots = [{ path = "src", package = "a-b" }]', "roots[0].package: 'a-b' is no dotted package name"),
        ('roots = [{ path = "src", package = "" }]', "roots[0].package: must not be empty"),
        ('roots = [{ path = "src", rôle = 1 }]'.replace("rôle", '"rôle"'), "roots[0].rôle: unknown key"),
        ('roots = ["src"]\nexclude = ["[z-a]"]', "2: exclude[0]: '[z-a]' is no pattern: it can never match"),
        ('roots = ["src"]\nexclude = ["# no"]', "'# no' is no pattern: it is blank or a comment"),
        ('roots = ["src"]\nexclude = "x"', "2: exclude: expected a list, found 'x'"),
        ('roots = ["src"]\ndocuments = "../law"', "2: documents: '../law' lies outside"),
        ('roots = ["src"]\ndocuments = ""', "2: documents: must not be empty"),
        ('roots = ["src"]\ndocuments = "src"', "2: documents: 'src' holds the root 'src'. Give"),
        ('roots = ["src/a"]\ndocuments = "src"', "2: documents: 'src' holds the root 'src/a'"),
        ('roots = ["src"]\ndocuments = "."', "2: documents: '.' holds the root 'src'"),
        ('roots = ["src"]\ngates = ["cycles", "cycles"]', "2: gates[1]: 'cycles' is listed twice"),
        ('roots = ["src"]\ngates = [true]', "2: gates[0]: expected text, found true"),
        ('roots = ["src"]\nrots = []', "2: rots: unknown key. Did you mean roots?"),
        ('roots = ["src"]\n[cycle]\nhold = "edges"', "2: cycle: unknown key. Did you mean cycles?"),
        ('roots = ["src"]\n[cycles]\nheld = "edges"', "3: cycles.held: unknown key"),
    ],
)
def test_every_fault_has_its_line(text: str, says: str) -> None:
    assert says in "\n".join(complaints(text))


def test_all_faults_are_found_in_one_go() -> None:
    found = complaints('roots = ["gone", 7, "../x"]\nexclude = 1\ngates = [1]\nwrong = 1\n[cycles]\nhold = 3\n')
    assert len(found) == 7


def test_a_folder_on_the_way_to_a_root_that_cannot_be_read_is_a_fault() -> None:
    class Shut(MemoryTree):
        def list(self, directory: str) -> NoReturn:
            raise NotJudged(Fault(directory, 0, "the folder cannot be read."))

    raw = settings_from("abutment.toml", b'roots = ["src"]', "/p")
    config = read_config(raw, Shut({"src/a.py": ""}))
    assert [fault.message for fault in config.faults.found] == ["the folder cannot be read."]


# --- the published schema


def valid(settings: object) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(settings))


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


FINE = 'roots = ["src"]\n'
CONTRACT = f"{FINE}[[contracts]]\nid = 'c'\n"


@pytest.mark.parametrize(
    "text",
    [
        FINE,
        'roots = ["src", { path = "lib", role = "tests", package = "a.b" }]\nexclude = ["x"]\ndocuments = "law"\n',
        'roots = ["./src", "tool.py", "."]\ngates = ["cycles"]\n',
        FINE + '[cycles]\nhold = "members"\ndeferred = true\nparents = "shared"\nexclude = ["a"]\n',
        FINE + "[snapshot]\nparents = true\n[blindspots]\n[boundaries]\nexclude = ['a']\n",
        CONTRACT + "kind = 'layers'\nlayers = ['a | b', '(c)', { modules = ['d'], closed = true }]\nindirect = true\n",
        CONTRACT
        + "kind = 'forbidden'\nsources = ['a']\nforbidden = ['b']\nignore = ['a -> b']\ninclude = ['parent']\n",
        CONTRACT + "kind = 'external'\nmodules = ['a']\nallowed = []\nstdlib = false\n",
        CONTRACT + "kind = 'external'\nmodules = ['a']\nbanned = ['b']\nindirect = true\n",
        CONTRACT + "kind = 'protected'\nprotected = ['a']\nallowed_importers = []\n",
        CONTRACT + "kind = 'absent_path'\npaths = ['a']\n",
        CONTRACT + "kind = 'absent_path'\nfolder = 'a'\nonly = ['b']\n",
        CONTRACT + "kind = 'raw'\nsources = ['a']\ntarget = ['b']\nreviewed_only = false\nreason = 'x'\n",
        # what both refuse
        "",
        "roots = []\n",
        'roots = "src"\n',
        "roots = [7]\n",
        'roots = [""]\n',
        'roots = ["../x"]\n',
        'roots = ["/x"]\n',
        'roots = ["a\\\\b"]\n',
        'roots = ["src", "src"]\n',
        'roots = [{ role = "tests" }]\n',
        'roots = [{ path = "src", role = "test" }]\n',
        'roots = [{ path = "src", package = "a-b" }]\n',
        'roots = [{ path = "src", x = 1 }]\n',
        FINE + "exclude = [1]\n",
        FINE + "documents = 1\n",
        FINE + "gates = ['cycles', 'cycles']\n",
        FINE + "wrong = 1\n",
        FINE + "[cycles]\nhold = 'all'\n",
        FINE + "[cycles]\ndeferred = 1\n",
        FINE + "[cycles]\nx = 1\n",
        FINE + "[blindspots]\nx = 1\n",
        FINE + "[boundaries]\nx = 1\n",
        CONTRACT,
        CONTRACT + "kind = 'layer'\n",
        CONTRACT + "kind = 'layers'\n",
        CONTRACT + "kind = 'layers'\nlayers = [{ closed = true }]\n",
        CONTRACT + "kind = 'forbidden'\nsources = []\nforbidden = ['b']\n",
        CONTRACT + "kind = 'forbidden'\nsources = ['a']\nforbidden = ['b']\nignore = ['a']\n",
        CONTRACT + "kind = 'forbidden'\nsources = ['a']\nforbidden = ['b']\ninclude = ['x']\n",
        CONTRACT + "kind = 'external'\nmodules = ['a']\n",
        CONTRACT + "kind = 'external'\nmodules = ['a']\nbanned = ['b']\nstdlib = false\n",
        CONTRACT + "kind = 'external'\nmodules = ['a']\nallowed = ['b']\nindirect = true\n",
        CONTRACT + "kind = 'absent_path'\nfolder = 'a'\n",
        CONTRACT + "kind = 'absent_path'\n",
        CONTRACT + "kind = 'leaf'\nmodules = ['a']\nindirect = true\n",
        CONTRACT.replace("'c'", "'c d'") + "kind = 'leaf'\nmodules = ['a']\n",
    ],
)
def test_the_schema_takes_what_the_reader_takes(text: str) -> None:
    table = settings_from("abutment.toml", text.encode(), "/p").table
    assert valid(table) == (not complaints(text)), complaints(text)


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_the_schema_knows_the_keys_of_every_kind_of_contract(kind: str) -> None:
    in_schema = set(SCHEMA["$defs"][f"contract_{kind}"]["properties"])
    faults = Faults()
    table = {"id": "c", "kind": kind, **dict.fromkeys(in_schema - {"id", "kind"}, 1), UNKNOWN: 1}
    read_contract(TableReader("c", table, faults, lambda _path: 0), KINDS)
    assert _known(faults) == in_schema
    required = set(SCHEMA["$defs"][f"contract_{kind}"]["required"]) - {"id", "kind"}
    bare = Faults()
    read_contract(TableReader("c", {"id": "c", "kind": kind}, bare, lambda _path: 0), KINDS)
    missing = {fault.message.partition(" ")[0] for fault in bare.found if "is missing" in fault.message}
    assert missing == required


@pytest.mark.parametrize("name", list(TABLE))
def test_the_schema_knows_the_keys_of_every_gate(name: str) -> None:
    (gate,) = load_gates([name])
    faults = Faults()
    reader = TableReader("c", {name: {UNKNOWN: 1}}, faults, lambda _path: 0)
    gate.read_settings(reader if gate.reads_root_table else reader.table(name))
    assert _known(faults) == set(SCHEMA["properties"][name]["properties"])


UNKNOWN = "zzqqzzqqzz"


def _known(faults: Faults) -> set[str]:
    """Return the keys that the reader offers instead of one that nobody could have meant."""
    (told,) = [fault.remedy for fault in faults.found if f"{UNKNOWN}: unknown key" in fault.message]
    return set(told.removeprefix("Known here: ").removesuffix(".").split(", "))


def test_the_schema_leaves_room_for_gates_of_other_packages() -> None:
    settings: Mapping[str, object] = {"roots": ["src"], "our_gate": {"limit": 3}}
    assert valid(settings)

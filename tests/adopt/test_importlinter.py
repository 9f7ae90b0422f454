"""import-linter's contracts, carried over: both tools say the same of the same code."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any

import grimp
import pytest
import tomlkit
from hypothesis import assume, given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st
from importlinter.configuration import configure
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract

from abutment.adopt.importlinter import carry_over
from abutment.errors import NotJudged
from abutment.gates.boundaries import GATE
from abutment.model.grants import Grants
from abutment.model.reading import Faults, TableReader
from abutment.semantics.build import build_program
from abutment.sources.discovery import discover
from abutment.sources.memory_tree import MemoryTree
from abutment.sources.toml_document import load_toml
from abutment.sources.universe import Root
from abutment.verdicts.judge import judge
from abutment.verdicts.verdict import Status
from tests.programs import program

configure()  # what contracts ask of import-linter is there once its own command has begun, which tests come before
TODAY = date(2026, 3, 1)
CODE = {
    "web.page": "",
    "web.form": "",
    "core.plan": "",
    "core.rules": "",
    "store.rows": "",
    "util.text": "",
}


class Both:
    """One small package, judged by both tools."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name

    def write(self, code: dict[str, str], configuration: str) -> MemoryTree:
        files = {f"{self.name}/__init__.py": code.get("", "")}
        for module, text in {**CODE, **code}.items():
            if module:
                parts = f"{self.name}.{module}".split(".")
                for length in range(2, len(parts)):
                    files.setdefault("/".join((*parts[:length], "__init__.py")), "")
                files["/".join(parts) + ("/__init__.py" if code.get(f"{module}.") else ".py")] = text
        files = {path: text.replace("PKG", self.name) for path, text in files.items()}
        files[".importlinter"] = configuration.replace("PKG", self.name)
        for path, text in files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_text(text, encoding="utf-8")
        return MemoryTree(files)

    def theirs(self) -> Status:
        from importlinter.cli import lint_imports

        status = lint_imports(config_filename=str(self.folder / ".importlinter"), no_cache=True)
        return Status.BROKEN if status else Status.HELD

    def ours(self, tree: MemoryTree) -> Status:
        program = build_program(discover(tree, [Root(self.name)]), tree)
        carried = carry_over(tree, frozenset(program.modules))
        assert not any(line.startswith("NOT") for line in carried.lines), carried.lines
        verdict = judge(
            GATE.terms("law"), GATE.measure(program, settings(carried.contracts), Grants()), Grants(), TODAY
        )
        assert verdict.faults == ()
        return verdict.status


def settings(contracts: Any) -> Any:
    """Return the gate's settings for contracts as they would be written."""
    document = load_toml("abutment.toml", tomlkit.dumps({"contracts": [dict(one) for one in contracts]}).encode())
    faults = Faults()
    found = GATE.read_settings(TableReader("abutment.toml", document.table, faults, document.locate))
    faults.raise_if_any()
    return found


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Both:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return Both(tmp_path, f"pkg{abs(hash(request.node.nodeid)):x}")


HEAD = "[importlinter]\nroot_package = PKG\n"
LAYERS = (
    "[importlinter:contract:rooms]\nname = Rooms\ntype = layers\nlayers =\n    PKG.web\n    PKG.core\n    PKG.store\n"
)
FORBIDDEN = (
    "[importlinter:contract:ban]\nname = Ban\ntype = forbidden\n"
    "source_modules =\n    PKG.core\nforbidden_modules =\n    PKG.store\n"
)
INDEPENDENT = "[importlinter:contract:free]\nname = Free\ntype = independence\nmodules =\n    PKG.web\n    PKG.core\n"
PROTECTED = (
    "[importlinter:contract:vault]\nname = Vault\ntype = protected\n"
    "protected_modules =\n    PKG.store\nallowed_importers =\n    PKG.core\n"
)
SIBLINGS = "[importlinter:contract:circle]\nname = Circle\ntype = acyclic_siblings\nancestors =\n    PKG\n"
EXTERNAL = (
    "[importlinter]\nroot_package = PKG\ninclude_external_packages = true\n"
    "[importlinter:contract:net]\nname = Net\ntype = forbidden\nsource_modules = PKG.core\nforbidden_modules = http\n"
)

COMPARED: list[tuple[str, str, dict[str, str], bool]] = [
    ("layers kept", HEAD + LAYERS, {"web.page": "import PKG.core.plan"}, True),
    ("layers broken", HEAD + LAYERS, {"core.plan": "import PKG.web.page"}, False),
    (
        "layers by chain",
        HEAD + LAYERS,
        {"core.plan": "import PKG.util.text", "util.text": "import PKG.web.page"},
        False,
    ),
    ("deferred counts", HEAD + LAYERS, {"core.plan": "def f():\n    from PKG.web import page"}, False),
    (
        "typing counts",
        HEAD + LAYERS,
        {"core.plan": "import typing\nif typing.TYPE_CHECKING:\n    import PKG.web"},
        False,
    ),
    (
        "typing left out",
        HEAD + "exclude_type_checking_imports = True\n" + LAYERS,
        {"core.plan": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import PKG.web"},
        True,
    ),
    (
        "dynamic imports are not seen there",
        HEAD + LAYERS,
        {"core.plan": "import importlib\nimportlib.import_module('PKG.web.page')"},
        True,
    ),
    (
        "a package that runs on the way is not seen there",
        HEAD + FORBIDDEN,
        {"core.plan": "from PKG.util import text", "util.": "yes", "util": "import PKG.store.rows"},
        True,
    ),
    (
        "a package that is named is",
        HEAD + FORBIDDEN,
        {"core.plan": "from PKG.util import NAME", "util.": "yes", "util": "import PKG.store.rows\nNAME = 1"},
        False,
    ),
    (
        "optional layer",
        HEAD + LAYERS.replace("PKG.store", "(PKG.nowhere)"),
        {"core.plan": "import PKG.store.rows"},
        True,
    ),
    (
        "independent siblings",
        HEAD + LAYERS.replace("PKG.web\n    PKG.core", "PKG.web | PKG.core"),
        {"web.page": "import PKG.core.plan"},
        False,
    ),
    (
        "dependent siblings",
        HEAD + LAYERS.replace("PKG.web\n    PKG.core", "PKG.web : PKG.core"),
        {"web.page": "import PKG.core.plan", "core.plan": "import PKG.web.form"},
        True,
    ),
    (
        "containers",
        HEAD + LAYERS.replace("PKG.", "").replace("layers\nlayers", "layers\ncontainers = PKG\nlayers"),
        {"store.rows": "import PKG.core.plan"},
        False,
    ),
    (
        "exhaustive",
        HEAD
        + LAYERS.replace("PKG.", "").replace("layers\nlayers", "layers\ncontainers = PKG\nexhaustive = true\nlayers"),
        {},
        False,
    ),
    (
        "exhaustive but for one",
        HEAD
        + LAYERS.replace("PKG.", "").replace(
            "layers\nlayers", "layers\ncontainers = PKG\nexhaustive = true\nexhaustive_ignores = util\nlayers"
        ),
        {},
        True,
    ),
    ("ban kept", HEAD + FORBIDDEN, {"store.rows": "import PKG.core.plan"}, True),
    ("ban broken", HEAD + FORBIDDEN, {"core.plan": "from PKG.store import rows"}, False),
    (
        "ban by chain",
        HEAD + FORBIDDEN,
        {"core.plan": "import PKG.util", "util.": "y", "util": "import PKG.store"},
        False,
    ),
    (
        "direct imports only",
        HEAD + FORBIDDEN + "allow_indirect_imports = True\n",
        {"core.plan": "import PKG.util.text", "util.text": "import PKG.store.rows"},
        True,
    ),
    (
        "modules, not packages",
        HEAD + FORBIDDEN + "as_packages = False\n",
        {"core.plan": "import PKG.store.rows", "core.": "y", "core": "X = 1"},
        True,
    ),
    (
        "modules themselves",
        HEAD + FORBIDDEN.replace("PKG.store", "PKG.store.rows") + "as_packages = False\n",
        {"core.": "y", "core": "import PKG.util.text", "util.text": "import PKG.store.rows"},
        False,
    ),
    (
        "an ignored import",
        HEAD + FORBIDDEN + "ignore_imports = PKG.core.plan -> PKG.store.*\n",
        {"core.plan": "import PKG.store.rows"},
        True,
    ),
    (
        "an ignored import means the module alone",
        HEAD + FORBIDDEN + "ignore_imports = PKG.core.plan -> PKG.store\n",
        {"core.plan": "import PKG.store\nimport PKG.store.rows"},
        False,
    ),
    (
        "an ignored import out of scope",
        HEAD + FORBIDDEN + "ignore_imports = PKG.web.page -> PKG.store.rows\n",
        {"web.page": "import PKG.store.rows"},
        True,
    ),
    (
        "an ignored import that is not there",
        HEAD + FORBIDDEN + "ignore_imports = PKG.core.plan -> PKG.web\n",
        {},
        False,
    ),
    (
        "… is only warned of",
        HEAD + FORBIDDEN + "ignore_imports = PKG.core.plan -> PKG.web\nunmatched_ignore_imports_alerting = warn\n",
        {},
        True,
    ),
    (
        "… or left unsaid",
        HEAD + FORBIDDEN + "ignore_imports = PKG.core.plan -> PKG.web\nunmatched_ignore_imports_alerting = none\n",
        {},
        True,
    ),
    (
        "a source inside one forbidden package",
        HEAD + FORBIDDEN.replace("PKG.store", "PKG\n    PKG.store"),
        {"core.plan": "import PKG.web.page"},
        True,
    ),
    (
        "a source inside one forbidden package, broken for another",
        HEAD + FORBIDDEN.replace("PKG.store", "PKG\n    PKG.store"),
        {"core.plan": "import PKG.store.rows"},
        False,
    ),
    (
        "wildcards on both sides",
        HEAD + FORBIDDEN.replace("PKG.core", "PKG.*").replace("PKG.store", "PKG.*"),
        {"core.plan": "import PKG.core.rules"},
        True,
    ),
    (
        "wildcards on both sides, broken",
        HEAD + FORBIDDEN.replace("PKG.core", "PKG.*").replace("PKG.store", "PKG.*"),
        {"core.plan": "import PKG.web.page"},
        False,
    ),
    ("external package", EXTERNAL, {"core.plan": "import http.client"}, False),
    (
        "external package by chain",
        EXTERNAL,
        {"core.plan": "import PKG.util.text", "util.text": "from http import client"},
        False,
    ),
    ("external package elsewhere", EXTERNAL, {"web.page": "import http.client"}, True),
    (
        "external import ignored",
        EXTERNAL + "ignore_imports = PKG.core.plan -> http\n",
        {"core.plan": "import http.client"},
        True,
    ),
    ("independence kept", HEAD + INDEPENDENT, {"web.page": "import PKG.web.form"}, True),
    ("independence broken", HEAD + INDEPENDENT, {"web.page": "import PKG.core.plan"}, False),
    (
        "independence by chain",
        HEAD + INDEPENDENT,
        {"core.plan": "import PKG.util.text", "util.text": "import PKG.web.form"},
        False,
    ),
    (
        "independence of children",
        HEAD + INDEPENDENT.replace("PKG.web\n    PKG.core", "PKG.*"),
        {"store.rows": "import PKG.util.text"},
        False,
    ),
    (
        "protected kept",
        HEAD + PROTECTED,
        {"core.plan": "import PKG.store.rows", "store.rows": "import PKG.store.more", "store.more": ""},
        True,
    ),
    ("protected kept though an allowance is unused", HEAD + PROTECTED, {}, True),
    ("protected broken", HEAD + PROTECTED, {"web.page": "from PKG.store.rows import x"}, False),
    (
        "protected modules themselves",
        HEAD + PROTECTED + "as_packages = False\n",
        {"web.page": "import PKG.store.rows"},
        True,
    ),
    ("siblings without a circle", HEAD + SIBLINGS, {"web.page": "import PKG.core.plan"}, True),
    (
        "siblings in a circle",
        HEAD + SIBLINGS,
        {"web.page": "import PKG.core.plan", "core.rules": "import PKG.web.form"},
        False,
    ),
    (
        "grandchildren in a circle",
        HEAD + SIBLINGS,
        {"web.page": "import PKG.web.form", "web.form": "import PKG.web.page"},
        False,
    ),
    (
        "grandchildren too deep",
        HEAD + SIBLINGS + "depth = 0\n",
        {"web.page": "import PKG.web.form", "web.form": "import PKG.web.page"},
        True,
    ),
    (
        "grandchildren skipped",
        HEAD + SIBLINGS + "skip_descendants = PKG.web\n",
        {"web.page": "import PKG.web.form", "web.form": "import PKG.web.page"},
        True,
    ),
]


@pytest.mark.parametrize(
    ("configuration", "code", "kept"), [case[1:] for case in COMPARED], ids=[c[0] for c in COMPARED]
)
def test_both_tools_give_the_same_verdict(both: Both, configuration: str, code: dict[str, str], kept: bool) -> None:
    tree = both.write(code, configuration)
    expected = Status.HELD if kept else Status.BROKEN
    assert (both.theirs(), both.ours(tree)) == (expected, expected)


def carried(text: str, file: str = ".importlinter") -> tuple[list[dict[str, object]], list[str]]:
    found = carry_over(MemoryTree({file: text}))
    return [dict(contract) for contract in found.contracts], list(found.lines)


def test_a_contract_is_written_out_in_full() -> None:
    contracts, lines = carried(HEAD + FORBIDDEN + "broken_contract_guidance =\n    Use\n    ports.\n")
    assert contracts == [
        {
            "id": "ban",
            "kind": "forbidden",
            "indirect": True,
            "sources": ["PKG.core"],
            "forbidden": ["PKG.store"],
            "reading": "statements",
            "include": ["type_only"],
            "reason": "Ban",
            "instead": "Use ports.",
        }
    ]
    assert lines[1:] == ["Carried over from .importlinter: contract 'Ban' as ban."]


TOML = """
[tool.importlinter]
root_packages = ["app", "lib"]
exclude_type_checking_imports = true

[[tool.importlinter.contracts]]
name = "The rooms!"
type = "layers"
layers = ["a", "b"]
containers = ["app.*"]
exhaustive = true

[[tool.importlinter.contracts]]
name = "The rooms?"
type = "acyclic_siblings"
ancestors = ["app"]
depth = 3
ignore_imports = ["app.a -> requests", "app.a -> lib.b"]
"""


@pytest.mark.parametrize(("section", "id"), [("1", "ban-the-store"), ("one", "one"), ("2nd", "2nd")])
def test_a_contract_that_is_only_numbered_is_called_by_its_name(section: str, id: str) -> None:
    text = FORBIDDEN.replace("importlinter:contract:ban", f"importlinter:contract:{section}")
    contracts, _lines = carried(HEAD + text.replace("name = Ban", "name = Ban the store"))
    assert contracts[0]["id"] == id


def test_a_pyproject_is_read_as_well() -> None:
    contracts, _ = carried(TOML, "pyproject.toml")
    assert contracts[0] == {
        "id": "the-rooms",
        "kind": "layers",
        "indirect": True,
        "layers": ["a", "b"],
        "containers": ["app.*"],
        "exhaustive": True,
        "reading": "statements",
        "reason": "The rooms!",
    }
    assert (contracts[1]["id"], contracts[1]["depth"]) == ("the-rooms-2", 3)
    assert contracts[1]["ignore"] == ["=app.a -> =lib.b", "=app.a -> requests"]
    assert contracts[1]["unused_ignores"] == "unmatched"


@pytest.mark.parametrize(
    ("contract", "cause"),
    [
        ("type = private_modules", "also holds for modules still to be written"),
        ("type = mine.Own", "the project's own code"),
        ("type = layers", "its `layers` is missing"),
        ("type = forbidden\nsource_modules = a", "its `forbidden_modules` is missing"),
        ("type = forbidden\nsource_modules = a\nforbidden_modules = b\nas_packages = maybe", "neither true nor false"),
        ("type = forbidden\nsource_modules = a\nforbidden_modules = b..c", "no dotted module name"),
        ("type = forbidden\nsource_modules = a.*\nforbidden_modules = a.b", "write out the modules"),
        ("type = forbidden\nsource_modules = a.b\nforbidden_modules = a", "so it says nothing"),
        ("type = independence\nmodules = a.**", "names modules that hold each other"),
        ("type = acyclic_siblings\nancestors = a\ndepth = deep", "its `depth` is 'deep'"),
        ("type = independence\nmodules = a\nignore_imports = a b", "is no import"),
        (
            "type = independence\nmodules = a\nignore_imports = a -> b\nunmatched_ignore_imports_alerting = loud",
            "its `unmatched_ignore_imports_alerting` is 'loud'",
        ),
    ],
)
def test_what_cannot_be_carried_over_is_named_with_its_cause(contract: str, cause: str) -> None:
    contracts, lines = carried(f"[importlinter]\nroot_package = a\n[importlinter:contract:x]\nname = Ex\n{contract}\n")
    assert contracts == []
    assert len(lines) == 2
    assert lines[1].startswith("NOT carried over from .importlinter: contract 'Ex': ")
    assert cause in lines[1]


@pytest.mark.parametrize(
    ("files", "cause"),
    [
        ({}, "there is no import-linter configuration; looked into setup.cfg, .importlinter, pyproject.toml."),
        ({"setup.cfg": "[metadata]\nname = x\n", "pyproject.toml": "[tool.other]\n"}, "there is no import-linter"),
        ({".importlinter": "[importlinter]\n"}, "`root_package` is missing"),
        ({".importlinter": "no section\n"}, "cannot be read"),
        ({".importlinter": b"[importlinter]\nroot_package = \xff\n"}, "cannot be read"),
        ({".importlinter": "[importlinter]\nroot_package = %(none)s\n"}, "cannot be read"),
        ({"pyproject.toml": "[tool.importlinter]\n[[tool.importlinter.contracts]]\n"}, "`root_package` is missing"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_not_judged(files: dict[str, str | bytes], cause: str) -> None:
    with pytest.raises(NotJudged) as refusal:
        carry_over(MemoryTree(files))
    assert cause in str(refusal.value)


NAMES = [f"p.{package}{module}" for package in "abcd" for module in ("", ".x", ".y")]
EDGES = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=14)
PACKAGES = st.lists(st.sampled_from(["p.a", "p.b", "p.c", "p.d"]), min_size=2, max_size=4, unique=True)


def compare(type_name: str, options: dict[str, Any], edges: list[tuple[str, str]]) -> tuple[bool, bool]:
    """Return whether the contract is kept for them and for us, over the same edges."""
    graph = grimp.ImportGraph()
    for name in ("p", *NAMES):
        graph.add_module(name)
    for importer, imported in edges:
        graph.add_import(importer=importer, imported=imported, line_number=1, line_contents="")
    classes: dict[str, Any] = {
        "layers": LayersContract,
        "forbidden": ForbiddenContract,
        "independence": IndependenceContract,
        "protected": ProtectedContract,
        "acyclic_siblings": AcyclicSiblingsContract,
    }
    theirs = classes[type_name]("law", session_options={"root_packages": ["p"]}, contract_options=options)
    made = carry_over(
        MemoryTree(
            {
                "pyproject.toml": tomlkit.dumps(
                    {
                        "tool": {
                            "importlinter": {
                                "root_package": "p",
                                "contracts": [{"name": "law", "type": type_name, **options}],
                            }
                        }
                    }
                )
            }
        )
    )
    assert made.contracts, made.lines
    codebase = program(*NAMES, *(f"{importer} -> {imported}" for importer, imported in edges if importer != imported))
    measured = GATE.measure(codebase, settings(made.contracts), Grants())
    assert measured.faults == ()
    return theirs.check(graph, verbose=False).kept, not (measured.counts or measured.unused)


BOUNDED = settings_of_hypothesis(max_examples=60, derandomize=True, deadline=None)


@BOUNDED
@given(EDGES, PACKAGES, st.sampled_from([" | ", " : ", ""]))
def test_layers_agree_on_any_graph(edges: list[tuple[str, str]], packages: list[str], joint: str) -> None:
    layers = [joint.join(packages[:2]), *packages[2:]] if joint else packages
    assume(len(layers) > 1 or joint == " | ")  # else nothing is forbidden, which we do not call held
    theirs, ours = compare("layers", {"layers": layers}, edges)
    assert theirs == ours


@BOUNDED
@given(EDGES, PACKAGES, st.booleans(), st.booleans())
def test_bans_agree_on_any_graph(edges: list[tuple[str, str]], packages: list[str], direct: bool, whole: bool) -> None:
    options: dict[str, Any] = {"source_modules": packages[:1], "forbidden_modules": packages[1:]}
    options |= {"allow_indirect_imports": str(direct), "as_packages": str(whole)}
    theirs, ours = compare("forbidden", options, edges)
    assert theirs == ours


@BOUNDED
@given(EDGES, PACKAGES)
def test_independence_agrees_on_any_graph(edges: list[tuple[str, str]], packages: list[str]) -> None:
    theirs, ours = compare("independence", {"modules": packages}, edges)
    assert theirs == ours


@BOUNDED
@given(EDGES, PACKAGES, st.booleans())
def test_protection_agrees_on_any_graph(edges: list[tuple[str, str]], packages: list[str], whole: bool) -> None:
    options = {"protected_modules": packages[:1], "allowed_importers": packages[1:], "as_packages": str(whole)}
    theirs, ours = compare("protected", options, edges)
    assert theirs == ours


@BOUNDED
@given(EDGES, st.integers(min_value=0, max_value=2))
def test_circles_agree_on_any_graph(edges: list[tuple[str, str]], depth: int) -> None:
    theirs, ours = compare("acyclic_siblings", {"ancestors": ["p"], "depth": str(depth)}, edges)
    assert theirs == ours

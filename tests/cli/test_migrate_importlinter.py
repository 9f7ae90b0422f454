"""What import-linter ignores becomes debt here, or is told with the reason why it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.records import left, planned, recorded
from tests.cli.tool import Answer, Tool

ADAPTERS = """\
[[contracts]]
id = "adapters"
kind = "forbidden"
sources = ["app.core"]
forbidden = ["app.adapters"]
indirect = false
"""
LINTED = """\
[importlinter]
root_package = app

[importlinter:contract:adapters]
name = Adapters
type = forbidden
source_modules = app.core
forbidden_modules = app.adapters
allow_indirect_imports = true
ignore_imports =
    app.core.* -> app.adapters.mail
    app.core.two -> app.adapters.gone
"""


def configured(*tables: str) -> str:
    return "\n".join(('roots = ["app"]\ngates = ["boundaries"]\n', *tables))


@pytest.fixture
def app(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tool:
    tool = Tool(tmp_path, capsys)
    tool.write(
        {
            "abutment.toml": configured(ADAPTERS),
            "app/__init__.py": "",
            "app/core/__init__.py": "",
            "app/core/one.py": "import app.adapters.mail\n",
            "app/core/two.py": "import app.adapters.disk\n",
            "app/adapters/__init__.py": "",
            "app/adapters/mail.py": "",
            "app/adapters/disk.py": "",
        }
    )
    return tool


def causes(answer: Answer) -> list[str]:
    return [line.partition(": adapters: ")[2] for line in left(answer)]


def test_ignored_imports_of_import_linter_are_recorded(app: Tool) -> None:
    answer = planned(app, "importlinter", LINTED, ".importlinter")
    (cause,) = causes(answer)
    assert cause.startswith(
        "the ignored import app.core.two -> app.adapters.gone: the contract is not broken by an import from the one to"
    )
    assert recorded(app, answer, "boundaries") == {"adapters app.core.one app.adapters.mail": 1}
    assert "app.core.two imports app.adapters.disk" in app("check", "boundaries").out


def test_the_file_that_is_named_is_read_and_no_other(app: Tool) -> None:
    app.write({".importlinter": LINTED, "setup.cfg": LINTED})
    other = LINTED.replace("app.core.* -> app.adapters.mail", "app.core.two -> app.adapters.disk")
    answer = planned(app, "importlinter", other, "of-old.ini")
    assert all(f"{app.root / 'of-old.ini'}: adapters" in line for line in left(answer))
    assert recorded(app, answer, "boundaries") == {"adapters app.core.two app.adapters.disk": 1}


def test_a_toml_file_is_read_under_any_name(app: Tool) -> None:
    text = """\
[tool.importlinter]
root_package = "app"

[[tool.importlinter.contracts]]
id = "adapters"
name = "Adapters"
type = "forbidden"
source_modules = ["app.core"]
forbidden_modules = ["app.adapters"]
ignore_imports = ["app.core.one -> app.adapters.mail"]
"""
    assert "says nothing of import-linter" in planned(app, "importlinter", "[tool.other]\n", "other.toml").err
    answer = planned(app, "importlinter", text, "linted.toml")
    assert recorded(app, answer, "boundaries") == {"adapters app.core.one app.adapters.mail": 1}


def test_what_the_contract_ignores_here_too_is_told_so(app: Tool) -> None:
    ignore = 'ignore = ["=app.core.* -> =app.adapters.mail"]\n'
    app.write({"abutment.toml": configured(ADAPTERS + ignore)})
    answer = planned(app, "importlinter", LINTED, ".importlinter")
    assert causes(answer)[0] == (
        "the ignored import app.core.* -> app.adapters.mail: the contract ignores it here, too: take it out of its "
        "`ignore` to hold it as debt."
    )
    assert "Nothing to record, and no plan written." in answer.out


def test_a_contract_that_is_not_here_is_told_by_its_id(app: Tool) -> None:
    app.write({"abutment.toml": configured(ADAPTERS.replace('id = "adapters"', 'id = "rooms"'))})
    for cause in causes(planned(app, "importlinter", LINTED, ".importlinter")):
        assert "no contract here has the id adapters; `abutment init --from importlinter` makes it." in cause


def test_a_contract_that_cannot_be_carried_over_is_told_once(app: Tool) -> None:
    odd = "\n[importlinter:contract:own]\nname = Own\ntype = mine.Contract\n"
    found = left(planned(app, "importlinter", LINTED + odd, ".importlinter"))
    assert found[0] == (
        f"{app.root / '.importlinter'}: contract 'Own': its type 'mine.Contract' is the project's own code, which is "
        "not run."
    )


def test_from_import_linter_to_a_green_check_by_the_steps_of_the_page(app: Tool) -> None:
    """Both tools hold the same: what was ignored is debt afterwards, and nothing else is let through."""
    both = LINTED.replace("app.core.two -> app.adapters.gone", "app.core.two -> app.adapters.disk")
    (app.root / "abutment.toml").unlink()
    app.write({".importlinter": both})
    assert app("init", "--from", "importlinter").status == 0
    settings = app.root / "abutment.toml"
    written = settings.read_text()
    begin, end = written.index("ignore = ["), written.index("]\n", written.index("ignore = [")) + 2
    settings.write_text((written[:begin] + written[end:]).replace('unused_ignores = "unmatched"\n', ""))
    for path in sorted((app.root / "fixtures").rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    answer = planned(app, "importlinter", both, ".importlinter")
    assert left(answer) == []
    assert recorded(app, answer, "boundaries") == {
        "adapters app.core.one app.adapters.mail": 1,
        "adapters app.core.two app.adapters.disk": 1,
    }
    assert app("init").status == 0
    assert app("check").status == 0
    app.write({"app/core/one.py": "import app.adapters.mail\nimport app.adapters.disk\n"})
    assert app("check").status == 1

from __future__ import annotations

import pytest

from abutment.facts.named import defined, home_of, settled
from tests.families import program_of

FILES = {
    "app/__init__.py": "from app.jobs import Jobs, jobs\nimport lib\nfrom lib import thing",
    "app/jobs.py": (
        "class Jobs:\n    limit = 3\n    class Inner: pass\n    def run(self): self.last = 1\n"
        "jobs = Jobs()\nNAME = 'x'\nif NAME:\n    import app.other as chosen\nelse:\n    chosen = make()\n"
    ),
    "app/alias.py": (
        "from app import jobs as handed\nfrom app.jobs import Jobs as Work\nimport app.jobs as jobs_module\n"
    ),
    "app/lazy.py": "def __getattr__(name): return name\n",
    "app/star.py": "from app.jobs import *\n",
    "app/loop.py": "from app.pool import ring\n",
    "app/pool.py": "from app.loop import ring\n",
    "app/folder/inside.py": "",
    "app/broken.py": "def (",
    "app/open.py": "from lib import Base\nclass Own(Base): pass\n",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("app", "app"),
        ("app.jobs", "app.jobs"),  # a module, also where its package binds something else of that name
        ("app.alias", "app.alias"),
        ("app.jobs.Jobs", "app.jobs.Jobs"),
        ("app.jobs.NAME", "app.jobs.NAME"),
        ("app.jobs.chosen", "app.jobs.chosen"),  # one of two things is known by its variable
        # by another address
        ("app.Jobs", "app.jobs.Jobs"),
        ("app.Jobs.Inner", "app.jobs.Jobs.Inner"),
        ("app.alias.Work", "app.jobs.Jobs"),
        ("app.alias.Work.limit", "app.jobs.Jobs.limit"),
        ("app.alias.handed", "app.jobs.jobs"),
        ("app.alias.jobs_module.Jobs.run", "app.jobs.Jobs.run"),
        ("app.star.Jobs", "app.jobs.Jobs"),
        ("app.lib.Jobs", "lib.Jobs"),
        ("app.thing", "lib.thing"),
        ("app.thing.below", "lib.thing.below"),
        # of a class
        ("app.jobs.Jobs.last", "app.jobs.Jobs.last"),
        ("app.jobs.Jobs.Inner", "app.jobs.Jobs.Inner"),
        ("app.jobs.Jobs.lost", None),
        ("app.Jobs.lost", None),
        ("app.open.Own.lost", "app.open.Own.lost"),  # its base may have it
        ("app.jobs.jobs.lost", "app.jobs.jobs.lost"),  # nobody knows what a variable has
        # everything right below
        ("app.Jobs.*", "app.jobs.Jobs.*"),
        ("app.Job.*", None),
        ("lib.*", "lib.*"),
        # nothing
        ("app.Job", None),
        ("app.jobs.Job", None),
        ("app.star.Job", None),
        ("app.nothing.Job", None),
        ("app.folder.Job", None),  # a folder without code has its modules
        ("app.loop.ring", None),  # handed round for ever
        # not known
        ("lib.Jobs", "lib.Jobs"),
        ("apple.Jobs", "apple.Jobs"),
        ("app.lazy.Job", "app.lazy.Job"),
        ("app.broken.Job", "app.broken.Job"),
    ],
)
def test_a_name_is_settled_to_where_it_is_defined(name: str, expected: str | None) -> None:
    assert defined(program_of(FILES), name) == expected


def test_what_is_nowhere_is_settled_to_what_is_written() -> None:
    assert list(settled(program_of(FILES), ["app.Job", "app.Jobs"])) == ["app.Job", "app.jobs.Jobs"]


@pytest.mark.parametrize(
    ("name", "home"), [("app", "app"), ("app.jobs.Jobs.run", "app.jobs"), ("app.folder.x", "app.folder"), ("lib.x", "")]
)
def test_a_name_stands_in_the_longest_module(name: str, home: str) -> None:
    assert home_of(program_of(FILES), name) == home

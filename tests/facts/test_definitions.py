from __future__ import annotations

import pytest

from abutment.facts.definitions import defined
from tests.families import program_of

FILES = {
    "app/__init__.py": "from app.jobs import Jobs\nimport lib",
    "app/jobs.py": "class Jobs:\n    class Inner: pass\n",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("app", "app"),
        ("app.jobs", "app.jobs"),
        ("app.jobs.Jobs", "app.jobs.Jobs"),
        ("app.Jobs", "app.jobs.Jobs"),  # by another address
        ("app.Jobs.Inner", "app.jobs.Jobs.Inner"),
        ("app.Job", None),
        ("app.jobs.Job", None),
        ("lib.Jobs", "lib.Jobs"),  # not ours, so not known
    ],
)
def test_a_name_is_settled_to_where_it_is_defined(name: str, expected: str | None) -> None:
    assert defined(program_of(FILES), name) == expected

from __future__ import annotations

import pytest

from abutment.model.likeness import alike

KNOWN = ("app", "app.runner", "app.engine", "app.core.Hass", "app.core.Hass.bus", "app.events.server", "requests")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("app.runer", ("app.runner",)),
        ("app.engne", ("app.engine",)),
        ("app.core.Hass.buss", ("app.core.Hass.bus",)),
        ("app.core.hass.bus", ("app.core.Hass.bus",)),
        ("ap.runner", ("app.runner",)),
        ("app.Hass", ("app.core.Hass",)),  # a part is left out
        ("app.api.events.server", ("app.events.server",)),  # or put in
        ("app.zz_new", ()),  # what they have in common says nothing
        ("app.core.Hass.unlike", ()),
        ("app.core.Hass.bus.more", ()),
        ("requets", ("requests",)),
        ("", ()),
    ],
)
def test_a_name_is_like_another_by_the_parts_in_which_they_differ(name: str, expected: tuple[str, ...]) -> None:
    assert alike(name, KNOWN) == expected


def test_the_most_alike_come_first() -> None:
    assert alike("a.planer", ("a.planers", "a.planner", "a.plane", "a.planer.x"), 2) == ("a.planers", "a.planner")

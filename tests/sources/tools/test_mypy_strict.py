"""What takes something away from mypy's strict options, and what does not."""

from __future__ import annotations

import pytest

from abutment.sources.tools.mypy_configuration import MypyConfiguration
from abutment.sources.tools.mypy_strict import weakened_by_configuration, weakening_comments


@pytest.mark.parametrize(
    ("pattern", "options", "said"),
    [
        ("pkg.a", {"ignore_errors": True}, ["`ignore_errors` for pkg.a"]),
        ("pkg.*", {"disallow_untyped_defs": "False"}, ["`disallow_untyped_defs` for pkg.*"]),
        ("*", {"disable_error_code": ["misc"]}, ["`disable_error_code` for *"]),
        ("src.pkg.a", {"allow_untyped_globals": True}, ["`allow_untyped_globals` for src.pkg.a"]),
        ("a", {"implicit_reexport": "true"}, ["`implicit_reexport` for a"]),
        ("pkg.a", {"some_later_option": True}, ["`some_later_option` for pkg.a"]),
        ("pkg.a", {"ignore_errors": False, "disallow_any_explicit": True, "warn_unreachable": "yes"}, []),
        ("pkg.a", {"ignore_missing_imports": True, "follow_imports": "skip", "enable_error_code": ["x"]}, []),
        ("pkg.b", {"ignore_errors": True}, []),
    ],
)
def test_a_section_takes_away_what_it_does_not_turn_on(
    pattern: str, options: dict[str, object], said: list[str]
) -> None:
    configuration = MypyConfiguration(sections=((pattern, options),))
    assert list(weakened_by_configuration(configuration, "src/pkg/a.py")) == said


def test_a_package_is_known_by_its_own_name() -> None:
    configuration = MypyConfiguration(sections=(("pkg.a", {"ignore_errors": True}),))
    assert list(weakened_by_configuration(configuration, "src/pkg/a/__init__.py"))


def test_errors_that_are_ignored_everywhere_are_ignored_here() -> None:
    assert list(weakened_by_configuration(MypyConfiguration(options={"ignore_errors": "True"}), "a.py"))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# mypy: ignore-errors\nx = 1\n", [1]),
        ("x = 1\n# mypy: disallow-untyped-defs=False\n", [2]),
        ('# mypy: disable-error-code="misc, arg-type"\n', [1]),
        ("# mypy: no-warn-return-any\n", [1]),
        ("# mypy: allow-untyped-defs, strict-equality\n", [1]),
        ("# mypy: disallow-any-explicit, warn-unreachable\n", []),
        ("# a comment\n\n# type: ignore\nx = 1\n", [3]),
        ("#type:ignore[misc]\n", [1]),
        ("x = f()  # type: ignore[misc]\n# type: ignore\n", []),
        ('"""Says # mypy: ignore-errors in its text."""\n', []),
    ],
)
def test_a_comment_takes_away_what_holds_for_the_whole_file(text: str, lines: list[int]) -> None:
    assert [one.line for one in weakening_comments("a.py", text)] == lines

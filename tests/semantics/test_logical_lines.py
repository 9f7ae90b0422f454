"""Lines of code belong to the statement that they are part of, and a file without any is barren."""

from __future__ import annotations

import pytest

from abutment.semantics.logical_lines import first_lines, is_barren


@pytest.mark.parametrize(
    ("source", "barren"),
    [
        (b"", True),
        (b"# words\n\n", True),
        (b'"""Words."""\n', True),
        (b'("words"\n "and more")\n', False),
        (b"import os\n", False),
        (b"...\n", False),
        (b"pass", False),
        (b"def f(:\n", False),
        (b"x = '''", False),
        (b"\xff\xfe", False),
    ],
)
def test_only_words_make_a_file_barren(source: bytes, barren: bool) -> None:
    assert is_barren(source) is barren


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (b"a = 1\n\n# b\nc = 2\n", {1: 1, 4: 4}),
        (b"f(\n    1,  # one\n\n    2,\n)\n", dict.fromkeys(range(1, 6), 1)),
        (b"if a:\n    b\nelse:\n    c\n", {1: 1, 2: 2, 3: 3, 4: 4}),
        (b"@a\n@b(\n)\ndef f():\n    '''x\n    y'''\n", {1: 1, 2: 2, 3: 2, 4: 4, 5: 5, 6: 5}),
        (b"a = 1; b = 2\nc = \\\n    3\n", {1: 1, 2: 2, 3: 2}),
        (b"a = 1\nb = (\n", {1: 1}),
        (b"a = 1\r\n\r\nb = 2", {1: 1, 3: 3}),
    ],
)
def test_each_line_of_code_leads_to_its_statement(source: bytes, lines: dict[int, int]) -> None:
    assert first_lines(source) == lines

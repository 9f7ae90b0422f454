"""A cache with wrong bytes in it: the verdict is the one that is found without a cache."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.laws.workshop import workshop

SHOP = {
    "abutment.toml": 'roots = ["shop"]\ngates = ["blindspots", "cycles"]\n',
    "shop/__init__.py": "",
    "shop/a.py": "import shop.b\n",
    "shop/b.py": "import shop.a\nimport shop.gone\n",
}
DAMAGES = ("flip", "cut", "append", "head")


def damaged(data: bytes, how: str, dice: random.Random) -> bytes:
    if how == "cut":
        return data[: dice.randrange(len(data))]
    if how == "append":
        return data + dice.randbytes(dice.randrange(1, 40))
    at = dice.randrange(40 if how == "head" else len(data))
    return data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :]


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("keeps_program", [True, False])
def test_wrong_bytes_in_the_cache_change_no_verdict(tmp_path: Path, how: str, keeps_program: bool) -> None:
    dice = random.Random(how)  # the same damage in every run
    with workshop(SHOP) as shop:
        assert shop("init").status == 0
        shop.write({"shop/c.py": "import shop.lost\n"})
        plain = shop("check", "--format", "json")
        assert plain.status == 1
        cached = ("check", "--format", "json", "--cache-dir", str(tmp_path))
        assert shop(*cached).out == plain.out
        whole = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        assert {path.suffix for path in whole} == {".pack", ".linked"}
        for _ in range(25):
            for path in (path for path in tmp_path.rglob("*") if path.is_file()):
                path.unlink()
            for path, data in whole.items():
                if keeps_program or path.suffix == ".pack":
                    path.write_bytes(damaged(data, how, dice))
            answer = shop(*cached)
            assert (answer.status, answer.out) == (1, plain.out)

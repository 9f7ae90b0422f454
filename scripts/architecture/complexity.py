"""How functions branch and nest: check it, or record with `--write` what was paid; `--report FILE` ranks them."""

from abutment.cli.complexity import main

main()

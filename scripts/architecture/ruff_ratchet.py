"""What ruff finds: check it, or record with `--write` what was paid."""

from abutment.cli.gate_script import main

main("lint")

"""What no test runs: check it, or record with `--write` what was covered."""

from abutment.cli.gate_script import main

main("coverage")

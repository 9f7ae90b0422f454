"""Errors that mypy finds: check them, or record with `--write` what was paid."""

from abutment.cli.gate_script import main

main("mypy")

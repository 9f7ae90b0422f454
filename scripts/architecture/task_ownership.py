"""Owners of tasks: check them. There is no debt, so `--write` is refused."""

from abutment.cli.gate_script import main

main("tasks")

"""Blocking calls on the event loop: check them, or record with `--write` what was paid."""

from abutment.cli.gate_script import main

main("blocking")

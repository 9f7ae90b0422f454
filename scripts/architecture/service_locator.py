"""Access to named runtimes and global objects: check it, or record with `--write` what was paid."""

from abutment.cli.gate_script import main

main("locators")

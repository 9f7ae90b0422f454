"""`python -m abutment` is the command `abutment`."""

from abutment.cli.main import main

if __name__ == "__main__":
    main()

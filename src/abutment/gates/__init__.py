"""One question a file; the table of our own gates."""

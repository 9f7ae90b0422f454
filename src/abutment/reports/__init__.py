"""A run as text: one format a file, each a pure function of a `Run`; nothing here knows Python or does I/O."""

"""Small frozen values that every room shares; nothing here knows Python or does I/O."""

"""A run as text or data: pure functions, one format a file."""

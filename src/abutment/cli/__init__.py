"""Parse, print, exit: the only room that does."""

"""What names mean: outlines of single files, and the program they make together."""
